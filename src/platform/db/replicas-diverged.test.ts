import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IS_LONG } from "../../../test/setup.ts";
import { connectTo } from "../../../test/own-postgres.ts";
import { loadsOf, readFresh, type Standby, type Standbys, startStandbys } from "../../../test/standbys.ts";
import { until } from "../../../test/waiting.ts";
import { startWorld } from "../../../test/world.ts";

let servers: Standbys;
beforeAll(async () => {
  servers = await startStandbys();
});
afterAll(() => servers.stop());

test.runIf(IS_LONG)(
  "a replica with more of the former primary than the promoted one stays left out",
  async () => {
    const [promoted, ahead] = servers.standbys as [Standby, Standby];
    await promoted.cutOff();
    const client = await connectTo(servers.primary.superuserUrl);
    await client.query(
      "create table padding as select repeat(md5(n::text), 50) from generate_series(1, 20000) as n",
    );
    await client.end();
    await ahead.catchUp();
    await servers.primary.kill();
    await promoted.promote();

    const primary = { ...servers.primary, url: promoted.url };
    const world = await startWorld({ standbys: { ...servers, primary, standbys: [ahead] } });
    const isLeftOut = () => world.replicas?.members[0]?.fault?.startsWith("it is ahead of the primary");
    await until(async () => (await readFresh(world)) === 200 && isLeftOut());
    const { replicas } = loadsOf(world);
    // Longer than two good looks take.
    for (let at = 0; at < 40; at++) {
      expect(await readFresh(world)).toBe(200);
      await sleep(50);
    }
    expect(isLeftOut()).toBe(true);
    expect(loadsOf(world).replicas).toEqual(replicas);
    await world.stop();
  },
);
