import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IS_LONG } from "../../../test/setup.ts";
import {
  loadsDuring,
  readFresh,
  type Standby,
  type Standbys,
  startStandbys,
  untilReadFrom,
  whileReading,
} from "../../../test/standbys.ts";
import { until } from "../../../test/waiting.ts";
import { startWorld, type World } from "../../../test/world.ts";

let servers: Standbys;
let first: Standby;
let world: World;
let key: string;
beforeAll(async () => {
  servers = await startStandbys({ settings: { max_standby_streaming_delay: "0" } });
  [first] = servers.standbys as [Standby, Standby];
  world = await startWorld({ standbys: servers });
  const ada = await world.user({ username: "ada" });
  key = await world.key(ada);
  await world.article(ada, { title: "Marmalade of quinces" });
});
afterAll(async () => {
  await world.stop();
  await servers.stop();
});

const search = (q: string) => world.get(`/api/articles/search?q=${q}`);
const write = () =>
  world.request({
    method: "POST",
    url: "/api/articles",
    key,
    body: { article: { title: `T ${Math.random()}`, body_markdown: "Words." } },
  });

test.runIf(IS_LONG)("a search finds in replicas what the memory holds", async () => {
  await untilReadFrom(world, 0, 1);
  const ada = { username: "ada" };
  for (let at = 0; at < 20; at++) {
    const { slug } = await world.article(ada, { title: `Preserve number${at}x` });
    const { status, body } = await search(`number${at}x`);
    expect([status, (body as { slug: string }[]).map((found) => found.slug)]).toEqual([200, [slug]]);
  }
});

test.runIf(IS_LONG)("a read that recovery cancels is repeated on the primary", async () => {
  await world.tag({ name: "gone" });
  await until(async () => (await loadsDuring(world, () => readFresh(world))).primary === 0);
  const statement = sql`select count(*) from tags, pg_sleep(0.45)`;
  const failures: unknown[] = [];
  const { primary } = await loadsDuring(world, async () => {
    const read = world.replicas?.load(async ({ replica }) => {
      await statement.execute(replica).catch((error: unknown) => {
        failures.push((error as { code?: string }).code);
        throw error;
      });
    });
    await sql`delete from tags where name = 'gone'`.execute(world.superuser);
    await sql`vacuum tags`.execute(world.superuser);
    await read;
  });
  expect([failures, primary]).toEqual([["40001"], 1]);
});

test.runIf(IS_LONG)(
  "without the primary strangers go on reading, writes are refused, and it is ready to read",
  async () => {
    await search("quinces");
    await world.get("/api/articles/search?q=marmalade");
    const { failures } = await whileReading(world, async () => {
      await servers.primary.kill();
      await until(async () => (await world.get("/readyz")).body !== null && world.replicas?.isPrimaryAway);
      expect((await world.get("/readyz")).body).toEqual({ status: "ok", database: "read-only" });
      expect((await search("quinces")).text).toContain("Marmalade of quinces");
      expect((await write()).status).toBe(503);
      await untilReadFrom(world, 0, 1);
      await servers.primary.restart();
      await until(async () => [200, 201].includes((await write()).status));
      await until(async () => !("database" in ((await world.get("/readyz")).body as object)));
    });
    expect(failures).toEqual([]);
  },
);

test.runIf(IS_LONG)("a primary that is back is noticed though no stranger reads", async () => {
  await readFresh(world);
  await servers.primary.kill();
  await until(async () => (await readFresh(world)) === 200 && world.replicas?.isPrimaryAway);
  // The looks rest when strangers have not read for a second.
  await sleep(1_500);
  await servers.primary.restart();
  await until(() => world.replicas?.isPrimaryAway === false);
  expect((await write()).status).toBe(201);
});

test.runIf(IS_LONG)("a replica that was promoted is left out, and named", async () => {
  const { failures } = await whileReading(world, async () => {
    await first.promote();
    await untilReadFrom(world, 1);
  });
  expect(failures).toEqual([]);
  const [promoted] = world.replicas?.members ?? [];
  await until(() => promoted?.fault?.startsWith("it is no standby"));
  expect(promoted?.fault).toBe("it is no standby of the database that DATABASE_URL names");
  expect(await readFresh(world)).toBe(200);
});

test.runIf(IS_LONG)(
  "a primary that has become a standby takes no write, and loses its connections",
  async () => {
    await servers.primary.demote();
    await until(() => write().then(({ status }) => status === 503));
    expect(await readFresh(world)).toBe(200);
    expect(world.bugs).toEqual([]);
  },
);
