import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";
import { CANNOT_CONNECT_NOW } from "../db/failures.ts";

/** A pool that isn't there from the start: until it is given, whoever asks is told to come back later. */
export interface LatePool extends PostgresPool {
  give(pool: pg.Pool): void;
}

export function createLatePool(): LatePool {
  let given: pg.Pool | undefined;
  return {
    give(pool) {
      given = pool;
    },
    async connect(): Promise<PostgresPoolClient> {
      if (given) return given.connect();
      throw Object.assign(new Error("The database isn't ready yet."), { code: CANNOT_CONNECT_NOW });
    },
    async end() {
      if (given && !given.ending) await given.end();
    },
  };
}
