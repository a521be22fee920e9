import { isDeepStrictEqual } from "node:util";
import type { Insertable, Selectable, Updateable } from "kysely";
import type { Db } from "./connect.ts";
import { runNamed } from "./prepared.ts";
import type { DB } from "./tables.ts";
import { anyInt } from "./values.ts";

export function rowsOf<Name extends keyof DB>(table: Name) {
  type Row = Selectable<DB[Name]>;
  // Queries are typed as those of one table.
  const name = table as "tags";
  return {
    async find(db: Db, id: number): Promise<Row | undefined> {
      const { rows } = await runNamed(db, db.selectFrom(name).selectAll().where("id", "=", id));
      return rows[0] as Row | undefined;
    },

    async lock(tx: Db, id: number): Promise<Row | undefined> {
      const query = tx.selectFrom(name).selectAll().where("id", "=", id);
      return (await runNamed(tx, query.forNoKeyUpdate())).rows[0] as Row | undefined;
    },

    /** Locks in the order of ids, which prevents deadlocks. */
    async lockAll(tx: Db, ids: readonly number[]): Promise<void> {
      if (ids.length === 0) return;
      const query = tx.selectFrom(name).select("id").where("id", "=", anyInt(ids));
      await query.orderBy("id").forNoKeyUpdate().execute();
    },

    async insert(tx: Db, row: Insertable<DB[Name]>): Promise<number> {
      const query = tx.insertInto(name).values(row as never);
      return (await query.returning("id").executeTakeFirstOrThrow()).id;
    },

    /** Returns the id; undefined when a row with the same unique columns is present. */
    async insertIfNew(tx: Db, row: Insertable<DB[Name]>): Promise<number | undefined> {
      const query = tx.insertInto(name).values(row as never);
      const onlyNew = query.onConflict((conflict) => conflict.doNothing());
      return (await onlyNew.returning("id").executeTakeFirst())?.id;
    },

    async insertWithSlug(
      tx: Db,
      row: Omit<Insertable<DB[Name]>, "slug">,
      slugs: Generator<string, never>,
    ): Promise<number> {
      for (const slug of slugs) {
        const query = tx.insertInto(name).values({ ...row, slug } as never);
        const onlyFree = query.onConflict((conflict) => conflict.column("slug" as "name").doNothing());
        const [inserted] = (await runNamed(tx, onlyFree.returning("id"))).rows;
        if (inserted) return inserted.id;
      }
      throw new Error("the slugs have come to an end");
    },

    async update(tx: Db, id: number, change: Updateable<DB[Name]>): Promise<void> {
      const query = tx.updateTable(name).set(change as never);
      await runNamed(tx, query.where("id", "=", id));
    },
  };
}

export function valuesOf<Row extends object, Column extends keyof Row>(rows: readonly Row[], column: Column) {
  return rows.flatMap((row) => row[column] ?? []);
}

export const differs = (existing: object, columns: object): boolean =>
  Object.keys(changes(existing, columns)).length > 0;

export function changes<Columns extends object>(existing: object, columns: Columns): Partial<Columns> {
  return Object.fromEntries(
    Object.entries(columns).filter(([name, value]) => !isDeepStrictEqual(Reflect.get(existing, name), value)),
  ) as Partial<Columns>;
}
