import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as keys from "../../src/community/users/keys.ts";
import { type AnotherServer, startAnother } from "../servers.ts";
import { startWorld, type World } from "../world.ts";

const ME = "/api/users/me";

let world: World;
let other: AnotherServer;
let lena: { id: number; username: string };
beforeAll(async () => {
  world = await startWorld();
  other = await startAnother(world);
  lena = await world.user({ username: "lena" });
});
afterAll(async () => {
  await other.stop();
  await world.stop();
});

const make = (more: Partial<keys.NewKey> = {}) =>
  keys.create(world.db, { userId: lena.id, description: "Test", ...more }, new Date());
const onBoth = async (key: string) => [
  (await world.get(ME, { key })).status,
  (await other.request({ url: ME, key })).status,
];

describe("a key", () => {
  test("that is revoked is refused by every server at once", async () => {
    for (let round = 0; round < 10; round++) {
      const { id, key } = await make();
      expect(await onBoth(key)).toEqual([200, 200]);
      await keys.revoke(world.db, id);
      expect(await onBoth(key)).toEqual([401, 401]);
    }
  });

  test("that is revoked is refused, too, by a server whose connections were cut", async () => {
    const { id, key } = await make();
    const cut = await startAnother(world, { poolSize: 1 });
    expect((await cut.request({ url: ME, key })).status).toBe(200);
    await cutConnectionOf(cut);
    await keys.revoke(world.db, id);
    expect((await cut.request({ url: ME, key })).status).toBe(401);
    await cut.stop();
  });

  test("that has come to its end is refused with the next request, and its owner's others are not", async () => {
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
    const short = await make({ expiresAt: inHours(1) });
    const long = await make({ expiresAt: inHours(3) });
    expect(await onBoth(short.key)).toEqual([200, 200]);
    world.setNow(inHours(2));
    expect(await onBoth(short.key)).toEqual([401, 401]);
    expect(await onBoth(long.key)).toEqual([200, 200]);
    world.setNow(undefined);
  });

  test("with a typing error costs no statement, one that could be right costs one", async () => {
    const { key } = await make();
    const cost = (sent: string) =>
      world.countStatements(async () => expect((await world.get(ME, { key: sent })).status).toBe(401));
    expect(await cost(key.replace(/.$/, (last) => (last === "a" ? "b" : "a")))).toBe(0);
    expect(await cost("ink_")).toBe(0);
    expect(await cost(keys.makeKey())).toBe(1);
    expect(await cost("brought from elsewhere")).toBe(1);
  });

  test("is noted as used without a read waiting for it", async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => make()));
    await world.db.transaction().execute(async (tx) => {
      // Blocks all writes to the table until the transaction ends: a read that waited for one would never end.
      await sql`lock table api_keys in share mode`.execute(tx);
      for (let round = 0; round < 5; round++) {
        const reads = made.map(({ key }) => other.request({ url: ME, key }));
        expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([200]));
      }
    });
    const used = async () =>
      (await keys.list(world.db, lena.id)).filter(({ last_used_at }) => last_used_at !== null);
    await expect
      .poll(async () => (await used()).map(({ id }) => id))
      .toEqual(expect.arrayContaining(made.map(({ id }) => id)));
  });

  test("works where the database can't be written", async () => {
    const { key } = await make();
    const reader = await startAnother(world, { session: "-c default_transaction_read_only=on" });
    for (let round = 0; round < 3; round++) {
      for (const url of [ME, "/api/articles/me/all", "/api/articles"]) {
        expect((await reader.request({ url, key })).status).toBe(200);
      }
    }
    expect(reader.services.bugs).toEqual([]);
    await reader.stop();
  });
});

/** Of a server that has but one. */
async function cutConnectionOf({ db, pool }: AnotherServer): Promise<void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  expect(pool.totalCount).toBe(1);
  await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(world.superuser);
  await expect.poll(() => pool.totalCount).toBe(0);
}
