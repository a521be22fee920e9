import { createHash } from "node:crypto";
import { operator } from "../../http/actor.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase } from "../../../test/database.ts";
import type { Db } from "../../platform/db/connect.ts";
import { connect } from "../../platform/db/connect.ts";
import * as keys from "./keys.ts";
import * as users from "./users.ts";

const NOW = new Date("2026-03-02T09:15:00Z");

describe("an API key", () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let db: Db;
  let count = 0;
  beforeAll(async () => {
    database = await createDatabase();
    db = database.connection.db;
  });
  afterAll(() => database.drop());

  const person = () => users.create(operator(db), { username: `person_${++count}`, name: "Somebody" });
  const keyOf = async (userId: number, more: Partial<keys.NewKey> = {}) =>
    (await keys.create(db, { userId, description: "Tests", ...more }, NOW)).key;
  const row = (key: string) =>
    db.selectFrom("api_keys").selectAll().where("sha256", "=", keys.keyHash(key)).executeTakeFirstOrThrow();

  test("has a prefix, 32 random characters and a checksum", () => {
    const made = Array.from({ length: 200 }, keys.makeKey);
    for (const key of made) {
      expect(key).toMatch(/^ink_[0-9A-Za-z]{38}$/);
      expect(keys.hasValidChecksum(key)).toBe(true);
    }
    expect(new Set(made).size).toBe(200);
  });

  test("pads its checksum on the left with zeros", () => {
    // A fifth of all 32-bit numbers have less than six digits to the base 62.
    const made = Array.from({ length: 1_000 }, keys.makeKey);
    expect(made.filter((key) => key.at(-6) === "0").length).toBeGreaterThan(50);
  });

  test("uses every character about equally often", () => {
    const counts = new Map<string, number>();
    const made = Array.from({ length: 4_000 }, () => keys.makeKey().slice(4, 36)).join("");
    for (const character of made) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    const expected = made.length / 62;
    const chiSquared = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
    // 61 degrees of freedom: chance stays below 127 in all but one of a million runs.
    expect(chiSquared).toBeLessThan(127);
  });

  test("with a typing error is refused without asking the database", async () => {
    const unreachable = connect({ connection: { host: "127.0.0.1", port: 1 }, poolSize: 1 });
    const key = keys.makeKey();
    for (const wrong of [
      `${key}x`,
      key.slice(0, -1),
      key.replace(/.$/, (c) => (c === "a" ? "b" : "a")),
      "ink_",
      "",
    ]) {
      expect(await keys.authenticate(unreachable.db, wrong, NOW)).toBeUndefined();
    }
    await expect(keys.authenticate(unreachable.db, key, NOW)).rejects.toThrow("ECONNREFUSED");
    await unreachable.db.destroy();
  });

  test("names its owner, their role and whether it may write", async () => {
    const { id } = await users.create(operator(db), { username: "boss", name: "Boss", role: "admin" });
    const { key, id: keyId } = await keys.create(db, { userId: id, description: "x", readOnly: true }, NOW);
    expect(await keys.authenticate(db, key, NOW)).toEqual({ id, role: "admin", keyId, readOnly: true });
  });

  test("is stored as its hash and a hint only", async () => {
    const key = await keyOf((await person()).id);
    const stored = await row(key);
    expect(stored.sha256).toEqual(createHash("sha256").update(key).digest());
    expect(stored.hint).toBe(`${key.slice(0, 8)}…${key.slice(-4)}`);
    expect(JSON.stringify(stored)).not.toContain(key.slice(8, -4));
    expect(keys.hintOf("a-short-one-from-elsewhere")).toBeNull();
  });

  test("of any other form works when its hash is known", async () => {
    const { id } = await person();
    const foreign = "brought from elsewhere";
    await db
      .insertInto("api_keys")
      .values({ user_id: id, sha256: keys.keyHash(foreign), description: "x" })
      .execute();
    expect(await keys.authenticate(db, foreign, NOW)).toMatchObject({ id, readOnly: false });
    expect(await keys.authenticate(db, "unknown\0", NOW)).toBeUndefined();
  });

  test("ends at its expiry date", async () => {
    const key = await keyOf((await person()).id, { expiresAt: new Date("2026-03-03T00:00:00Z") });
    expect(await keys.authenticate(db, key, new Date("2026-03-02T23:59:59Z"))).toBeDefined();
    expect(await keys.authenticate(db, key, new Date("2026-03-03T00:00:00Z"))).toBe("expired");
  });

  test("of a suspended owner opens nothing", async () => {
    const { id } = await person();
    const key = await keyOf(id);
    await db.updateTable("users").set({ suspended: true }).where("id", "=", id).execute();
    expect(await keys.authenticate(db, key, NOW)).toBe("suspended.");
  });

  test("remembers its last use to the minute", async () => {
    const key = await keyOf((await person()).id);
    const useAt = async (time: string, expected: string) => {
      await Promise.all(Array.from({ length: 5 }, () => keys.authenticate(db, key, new Date(time))));
      await expect.poll(async () => (await row(key)).last_used_at?.toISOString()).toBe(expected);
    };
    await useAt("2026-03-02T10:00:00Z", "2026-03-02T10:00:00.000Z");
    await useAt("2026-03-02T10:00:59Z", "2026-03-02T10:00:00.000Z");
    await useAt("2026-03-02T10:01:00Z", "2026-03-02T10:01:00.000Z");
  });

  test("works where nothing can be written", async () => {
    const key = await keyOf((await person()).id);
    const found = await db
      .transaction()
      .setAccessMode("read only")
      .execute((tx) => keys.authenticate(tx, key, NOW))
      .catch((error: unknown) => error);
    expect(found).toMatchObject({ readOnly: false });
  });

  test.each([
    ["", "Description can't be blank"],
    [" \u00a0", "Description can't be blank"],
    ["x".repeat(301), "Description is too long (maximum is 300 characters)"],
    ["a\nb", "Description contains a control character: leave it out"],
  ])("needs a description that tells it from others: %j", async (description, message) => {
    await expect(keyOf((await person()).id, { description })).rejects.toThrow(message);
  });

  test("can't expire in the past", async () => {
    await expect(keyOf((await person()).id, { expiresAt: NOW })).rejects.toThrow(
      "Expires at must be in the future",
    );
    await expect(keyOf((await person()).id, { expiresAt: new Date("nonsense") })).rejects.toThrow(
      "in the future",
    );
  });

  test("belongs to a person, of whose keys those of a description go together", async () => {
    await expect(keyOf(2_000_000_000)).rejects.toMatchObject({ code: "not_found" });
    const { id } = await person();
    const gone = await keyOf(id, { description: "Old" });
    const kept = await keyOf(id, { description: "Other" });
    expect(await keys.removeByDescription(db, id, "Old")).toBe(1);
    expect(await keys.authenticate(db, gone, NOW)).toBeUndefined();
    expect(await keys.authenticate(db, kept, NOW)).toBeDefined();
  });

  test("is one of at most 20, however many are made at once", async () => {
    const { id } = await person();
    const made = await Promise.allSettled(Array.from({ length: 30 }, () => keyOf(id)));
    const refused = made.filter((result) => result.status === "rejected");
    expect(made.length - refused.length).toBe(20);
    for (const { reason } of refused) {
      expect(String(reason)).toContain("There can be at most 20 keys per user: remove one first");
    }
  });
});
