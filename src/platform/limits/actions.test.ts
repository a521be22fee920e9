import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/database.ts";
import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import * as users from "../../community/users/users.ts";
import { check, spend } from "./actions.ts";

let db: Db;
let drop: () => Promise<void>;
let userId: number;
beforeAll(async () => {
  const database = await createDatabase();
  db = database.connection.db;
  drop = database.drop;
  await db.insertInto("handles").values({ username: "lena", kind: "user" }).execute();
  const { id } = await db
    .insertInto("users")
    .values({ username: "lena", name: "Lena" })
    .returning("id")
    .executeTakeFirstOrThrow();
  userId = id;
});
afterAll(() => drop());

const NOW = new Date("2026-03-02T09:15:00Z");
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const limits = (action: string, now = NOW) => ({ userId, action, limit: 10, windowSeconds: 30, now });

async function countDone(action: string, attempts: number, now = NOW): Promise<number> {
  const results = await Promise.allSettled(
    Array.from({ length: attempts }, () =>
      inTransaction(db, async (tx) => {
        await users.lock(tx, [userId]);
        await spend(tx, limits(action, now));
      }),
    ),
  );
  return results.filter(({ status }) => status === "fulfilled").length;
}

test("of 32 at once exactly the limit pass", async () => {
  expect(await countDone("parallel", 32)).toBe(10);
});

test("who was refused learns for how long", async () => {
  await countDone("told", 10);
  await expect(spend(db, limits("told"))).rejects.toMatchObject({
    code: "rate_limited",
    message: "Rate limit reached, try again in 30 seconds",
    retryAfterSeconds: 30,
  });
});

test("what is as old as the window doesn't count any more", async () => {
  await countDone("windows", 10);
  expect(await countDone("windows", 1, at(29.999))).toBe(0);
  expect(await countDone("windows", 12, at(30))).toBe(10);
});

test("what was taken back wasn't done, and asking is free", async () => {
  await countDone("undone", 9);
  const failing = inTransaction(db, async (tx) => {
    await spend(tx, limits("undone"));
    throw new Error("a title is missing");
  });
  await expect(failing).rejects.toThrow("a title is missing");
  for (let index = 0; index < 20; index++) await check(db, limits("undone"));
  expect(await countDone("undone", 2)).toBe(1);
});

test("one action doesn't stand in the way of another", async () => {
  await countDone("one", 10);
  expect(await countDone("another", 1)).toBe(1);
});
