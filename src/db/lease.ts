import { type RawBuilder, sql, type Updateable } from "kysely";
import type { Db } from "./connect.ts";
import type { DB } from "./tables.ts";

/** What the tables with leases have in common. */
interface Queue {
  /** Default `id`. */
  key?: readonly ("kind" | "id")[];
  /** The column of the time at which a row is due. */
  due: "due_at" | "next_attempt_at";
  /** Leaves out rows that are done. */
  where?: RawBuilder<unknown>;
}

interface Claim {
  now: Date;
  seconds: number;
  where?: RawBuilder<unknown>;
  /** More columns that change, after a comma. */
  set?: RawBuilder<unknown>;
  returning: RawBuilder<unknown>;
}

/** The key of a row, and its lease. */
interface Holder {
  kind?: string;
  id: string | number;
  lease: string;
}

const NOTHING = sql``;

/**
 * Rows that any process may work on when they are due. The process that leases a row works on it alone; when it dies,
 * another one takes the row at the end of the lease. Leases end by the database's clock, so that a process whose clock
 * is ahead takes no row too early.
 */
export function leasesOf<Name extends "fetches" | "mails" | "webhook_deliveries">(
  name: Name,
  { key = ["id"], due, where = sql`true` }: Queue,
) {
  const table = sql.table(name);
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const isFree = sql<boolean>`(leased_until is null or leased_until <= now())`;
  const begin = (seconds: number) =>
    sql`lease = gen_random_uuid(), leased_until = now() + make_interval(secs => ${seconds})`;
  const isDue = (now: Date) => sql`${where} and ${sql.ref(due)} <= ${now} and ${isFree}`;
  const isHeldBy = (holder: Holder) =>
    sql<boolean>`(${columns}, lease) = (${sql.join([...key, "lease" as const].map((column) => holder[column]))})`;

  return {
    isFree,
    isDue,
    isHeldBy,
    begin,
    /** When the next row is due, leased or not. */
    next: sql<Date | null>`(select min(${sql.ref(due)}) from ${table} where ${where})`,

    /** Leases the row that has been due longest. */
    async claim<Row>(
      db: Db,
      { now, where: more = NOTHING, seconds, set = NOTHING, returning }: Claim,
    ): Promise<Row | undefined> {
      const { rows } = await sql<Row>`
        update ${table} set ${begin(seconds)} ${set}
        where (${columns}) = (
          select ${columns} from ${table} where ${isDue(now)} ${more}
          order by ${sql.ref(due)}, id limit 1 for update skip locked
        )
        returning ${returning}`.execute(db);
      return rows[0];
    },

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
