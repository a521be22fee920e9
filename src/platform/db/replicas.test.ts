import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { IS_LONG, sample } from "../../../test/setup.ts";
import {
  loadsDuring,
  readFresh,
  type Standby,
  type Standbys,
  startStandbys,
  untilReadFrom,
  whileReading,
} from "../../../test/standbys.ts";
import { startWorld, type World } from "../../../test/world.ts";
import * as sessions from "../../community/users/sessions.ts";

describe("replicas", () => {
  let servers: Standbys;
  let first: Standby;
  let second: Standby;
  let world: World;
  let keys: Record<string, string>;
  beforeAll(async () => {
    servers = await startStandbys();
    [first, second] = servers.standbys as [Standby, Standby];
    world = await startWorld({ standbys: servers });
    keys = await world.keysOf({ ada: "member" });
  });
  afterAll(async () => {
    await world.stop();
    await servers.stop();
  });
  beforeEach(() => untilReadFrom(world, 0, 1));

  const times = async (count: number, work: () => Promise<unknown>) => {
    for (let at = 0; at < count; at++) await work();
  };

  test.runIf(IS_LONG)("answer strangers, by turns", async () => {
    await untilReadFrom(world, 0, 1);
    const { replicas } = await loadsDuring(world, () => times(20, () => readFresh(world)));
    expect(Math.abs((replicas[0] ?? NaN) - (replicas[1] ?? NaN))).toBeLessThanOrEqual(2);
  });

  test("answer nobody who sends a key, also a wrong one", async () => {
    for (const key of [keys["ada"], "wrong"]) {
      const { replicas } = await loadsDuring(world, () => times(20, () => readFresh(world, key)));
      expect(replicas).toEqual([0, 0]);
    }
  });

  test("answer only if they have replayed the last write of the process", async () => {
    await first.pause();
    await second.pause();
    await world.tag({ name: "seen" });
    const read = () => world.get("/api/tags");
    const { replicas } = await loadsDuring(world, async () => {
      expect((await read()).text).toContain('"seen"');
    });
    expect(replicas).toEqual([0, 0]);
    await second.resume();
    await untilReadFrom(world, 1);
    expect((await read()).text).toContain('"seen"');
    await first.resume();
  });

  test("never keep from a member the effect of their own write", async () => {
    const { id } = await world.user({ username: "lena", name: "Lena Ortiz" });
    const device = { network: "203.0.113.0/24", browser: "Firefox" };
    const token = await sessions.begin(world.db, { userId: id, ...device }, new Date());
    const headers = { cookie: `__Host-session=${token}` };
    await untilReadFrom(world, 0, 1);
    await first.pause();
    await second.pause();
    expect((await world.get("/", { headers })).text).toContain("Lena Ortiz");
    const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
    const saved = await world.request({
      method: "POST",
      url: "/settings/profile",
      headers: form,
      body: "name=Lena+the+Second",
    });
    expect(saved.status).toBe(303);
    for (const page of ["/", "/lena", "/settings/profile"])
      expect((await world.get(page, { headers })).text).toContain("Lena the Second");
    await second.resume();
    await first.resume();
  });

  const HARMS: [string, (one: Standby) => Promise<void>, ((one: Standby) => Promise<void>)?][] = [
    ["is stopped", async (one) => one.stop(), async (one) => one.cont()],
    ["is killed", (one) => one.kill(), (one) => one.restart()],
    ["is started again", (one) => one.restart()],
  ];
  test.each(sample(HARMS, 1))(
    "fail no reader when one %s, and are all used again",
    async (_sentence, harm, mend?) => {
      const { failures } = await whileReading(world, async () => {
        await sleep(300);
        await harm(first);
        if (mend !== undefined) await untilReadFrom(world, 1);
        await mend?.(first);
        await first.catchUp();
      });
      expect(failures).toEqual([]);
      await untilReadFrom(world, 0, 1);
    },
  );
});
