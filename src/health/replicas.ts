import { sql } from "kysely";
import { connect, type Db } from "../db/connect.ts";
import { reasonOf } from "../db/failures.ts";
import { isStandbyOf, lookAt, lookUntilReplayed } from "../db/positions.ts";
import { fail, type Outcome, ok, warn } from "./finding.ts";

const PATIENCE_MS = 2_000;

/** Measures how long a replica takes to replay what the primary has written. */
export async function checkReplica(primary: Db, url: string): Promise<Outcome> {
  const { db } = connect({ connection: { connectionString: url }, poolSize: 1, patienceMs: PATIENCE_MS });
  try {
    const wanted = await lookAt(primary);
    const own = await lookUntilReplayed(db, wanted, PATIENCE_MS);
    if (!isStandbyOf(own, wanted))
      return fail("It is no standby of the database that DATABASE_URL names: correct DATABASE_REPLICA_URLS.");
    const { rows } = await sql<{ feedback: string }>`
      select current_setting('hot_standby_feedback') as feedback`.execute(db);
    const feedback = `hot_standby_feedback is ${rows[0]?.feedback}`;
    if (own.isReplayed) return ok(`At most ${Math.ceil(own.at - wanted.at)} ms behind; ${feedback}.`);
    return warn(
      `More than ${PATIENCE_MS / 1_000} s behind; ${feedback}. The primary answers until it has caught up.`,
    );
  } catch (error) {
    return warn(`It can't be reached (${reasonOf(error)}): start it, or correct DATABASE_REPLICA_URLS.`);
  } finally {
    await db.destroy();
  }
}
