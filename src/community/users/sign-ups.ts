import { type Insertable, type Selectable, sql } from "kysely";
import { violatedUnique } from "../../platform/db/failures.ts";
import type { Db } from "../../platform/db/connect.ts";
import { rowsOf } from "../../platform/db/rows.ts";
import type { SignUps } from "../../platform/db/tables.ts";
import { countRows, isAny } from "../../platform/db/values.ts";
import { invalid } from "../../platform/errors.ts";

const DECLINED_DAYS = 30;

/* People who have applied are no users: no page shows them, and no way to sign in finds them. */

type SignUp = Selectable<SignUps>;
export type Application = Omit<Insertable<SignUps>, "state" | "created_at">;

const { insert } = rowsOf("sign_ups");

export function holds(db: Db, username: string): Promise<boolean> {
  const named = db.selectFrom("sign_ups").select("id").where("username", "=", username);
  return isAny(named.where("state", "<>", "declined"));
}

/**
 * Adds an application, which waits for an admin.
 * @throws AppError invalid for a name that is taken meanwhile, and for a person who was declined in the last day
 */
export async function apply(tx: Db, application: Application, now: Date): Promise<void> {
  const { email, username } = application;
  const declined = tx.selectFrom("sign_ups").select("id").where("username", "=", username);
  const same = declined.where(sql<boolean>`lower(email) = lower(${email})`);
  if (await isAny(same.where("decided_at", ">", daysBefore(now, 1))))
    throw invalid("An application with this address was declined today: apply again in a day");
  try {
    await insert(tx, { ...application, state: "applied", created_at: now });
  } catch (error) {
    if (violatedUnique(error) === "sign_ups_username") throw invalid("Username has already been taken");
    throw error;
  }
}

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * 86_400_000);

/** Those that wait for an admin or moderator, the oldest first. */
export function listApplied(db: Db) {
  return db
    .selectFrom("sign_ups")
    .select(["id", "username", "name", "reason", "network", "created_at"])
    .select(sql<string>`split_part(email, '@', 2)`.as("domain"))
    .where("state", "=", "applied")
    .orderBy("id")
    .limit(200)
    .execute();
}

export function countApplied(db: Db): Promise<number> {
  return countRows(db.selectFrom("sign_ups").where("state", "=", "applied"));
}

/** Takes an application out to make an account of it; undefined when another person has decided it. */
export function take(tx: Db, id: number): Promise<SignUp | undefined> {
  return tx
    .deleteFrom("sign_ups")
    .where((eb) => eb.and({ id, state: "applied" }))
    .returningAll()
    .executeTakeFirst();
}

export async function decline(
  tx: Db,
  { id, reason }: { id: number; reason: string },
  now: Date,
): Promise<string | undefined> {
  const declined = await tx
    .updateTable("sign_ups")
    .set({ state: "declined", decline_reason: reason, decided_at: now, password_hash: "" })
    .where((eb) => eb.and({ id, state: "applied" }))
    .returning("email")
    .executeTakeFirst();
  return declined?.email;
}

export function findDeclined(db: Db, id: number) {
  const declined = db.selectFrom("sign_ups").where((eb) => eb.and({ id, state: "declined" }));
  return declined.select(["username", "decline_reason"]).executeTakeFirst();
}

export async function purge(db: Db, now: Date): Promise<void> {
  await sql`
    delete from sign_ups where decided_at <= ${daysBefore(now, DECLINED_DAYS)}
      -- Servers of the version before add them.
      or state = 'unconfirmed' and created_at <= ${daysBefore(now, 2)}`.execute(db);
}
