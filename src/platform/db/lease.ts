import { type RawBuilder, sql, type Updateable } from "kysely";
import type { Db } from "./connect.ts";
import type { DB } from "./tables.ts";

interface Columns {
  key?: readonly ("kind" | "id")[];
  due: "due_at" | "next_attempt_at";
  where?: RawBuilder<unknown>;
}

interface Holder {
  kind?: string;
  id: string | number;
  lease: string;
}

/** A lease ends by the database's clock, so that a process whose clock is ahead takes no row too early. */
export const IS_FREE = sql<boolean>`(leased_until is null or leased_until <= now())`;

export const beginLease = (seconds: number) =>
  sql`lease = gen_random_uuid(), leased_until = now() + make_interval(secs => ${seconds})`;

/** Rows that any process may work on when they are due. Another takes a row when its lease ends. */
export function leasesOf<Name extends "fetches" | "mails" | "webhook_deliveries">(
  name: Name,
  { key = ["id"], due, where = sql`true` }: Columns,
) {
  const [table, at] = [sql.table(name), sql.ref(due)];
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const isDue = (now: Date) => sql`${where} and ${at} <= ${now} and ${IS_FREE}`;
  const isHeldBy = (holder: Holder) =>
    sql<boolean>`(${columns}, lease) = (${sql.join([...key, "lease" as const].map((column) => holder[column]))})`;
  return {
    isDue,
    isHeldBy,
    next: sql<Date | null>`(select min(${at}) from ${table} where ${where})`,
    /** The key of the row that has been due longest, which it locks. */
    first: (now: Date, condition = sql`true`) => sql`(
      select ${columns} from ${table} where ${condition} and ${isDue(now)}
      order by ${at}, id limit 1 for update skip locked
    )`,
    /** Ends a lease with its outcome; false when another process has the row. */
    async finish(db: Db, holder: Holder, outcome: Updateable<DB[Name]>): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable(name as "mails")
        .set({ ...(outcome as object), lease: null, leased_until: null })
        .where(isHeldBy(holder))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}
