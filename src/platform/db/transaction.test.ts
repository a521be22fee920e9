import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { type World, worldForAll } from "../../../test/world.ts";
import { together } from "./pipeline.ts";
import { finishedWrites, inTransaction } from "./transaction.ts";

describe("inTransaction", () => {
  const world = worldForAll();
  beforeAll(async () => {
    await sql`create table pair (id int primary key, n int not null)`.execute(world.superuser);
    await sql`grant select, insert, update on pair to public`.execute(world.superuser);
    await sql`insert into pair values (1, 0), (2, 0)`.execute(world.db);
  });
  const add = (tx: World["db"], id: number) => sql`update pair set n = n + 1 where id = ${id}`.execute(tx);

  test.each([false, true])("two that lock each other out both succeed (unseen: %s)", async (unseen) => {
    await sql`update pair set n = 0`.execute(world.db);
    const arrived = [0];
    const meet = async () => {
      arrived.push(arrived.length);
      while (arrived.length <= 2) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const crossing = (first: number, second: number) =>
      inTransaction(world.db, { unseen }, async (tx) => {
        await add(tx, first);
        await meet();
        await add(tx, second);
      });
    await Promise.all([crossing(1, 2), crossing(2, 1)]);
    const { rows } = await sql<{ n: number }>`select n from pair order by id`.execute(world.db);
    expect(rows).toEqual([{ n: 2 }, { n: 2 }]);
  });

  test("joins the transaction it is given, and counts when it ends", async () => {
    const before = finishedWrites(world.db);
    await inTransaction(world.db, (tx) => inTransaction(tx, (inner) => add(inner, 1)));
    expect(finishedWrites(world.db)).toBe(before + 1);
  });

  test("leaves answers fresh when strangers see nothing of it", async () => {
    const before = finishedWrites(world.db);
    await inTransaction(world.db, { unseen: true }, (tx) => add(tx, 1));
    expect(finishedWrites(world.db)).toBe(before);
  });

  describe("statements that leave together", () => {
    const fails = (tx: World["db"], code: string) =>
      sql`do $$ begin raise exception 'on purpose' using errcode = ${sql.lit(code)}; end $$`.execute(tx);

    test("run in their order, in one transaction", async () => {
      const numbers = await inTransaction(world.db, (tx) =>
        together(add(tx, 1), sql<{ n: number }>`select n from pair where id = 1`.execute(tx), add(tx, 1)),
      );
      const { rows } = await sql<{ n: number }>`select n from pair where id = 1`.execute(world.db);
      expect(rows[0]?.n).toBe((numbers[1].rows[0]?.n ?? NaN) + 1);
    });

    test("keep nothing when one fails, and the first failure that isn't a consequence is thrown", async () => {
      const { rows: before } = await sql`select * from pair order by id`.execute(world.db);
      const late = async (tx: World["db"]) => {
        await add(tx, 1);
        await add(tx, 2);
      };
      const failing = inTransaction(world.db, (tx) => together(late(tx), fails(tx, "P0002"), add(tx, 2)));
      await expect(failing).rejects.toMatchObject({ code: "P0002" });
      const refused = inTransaction(world.db, (tx) =>
        together(add(tx, 1), Promise.reject(new Error("first")), Promise.reject(new Error("second"))),
      );
      await expect(refused).rejects.toThrow("first");
      const { rows: after } = await sql`select * from pair order by id`.execute(world.db);
      expect(after).toEqual(before);
    });

    test("are all repeated when one is the victim of a deadlock", async () => {
      let attempts = 0;
      await inTransaction(world.db, (tx) => {
        attempts += 1;
        return together(add(tx, 1), attempts === 1 && fails(tx, "40P01"), add(tx, 2));
      });
      expect(attempts).toBe(2);
    });
  });
});
