import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { Db } from "../src/db/connect.ts";
import { createDatabase } from "./database.ts";

export interface OwnDatabase {
  readonly name: string;
  readonly db: Db;
  readonly superuser: Db;
}

/** One database for all tests of the file, or of the `describe` that this stands in. */
export const databaseForAll = (): OwnDatabase => ownDatabase(beforeAll, afterAll);

/** A new database for every test of the file, or of the `describe` that this stands in. */
export const databaseForEach = (): OwnDatabase => ownDatabase(beforeEach, afterEach);

type Hook = (work: () => Promise<void>) => void;

function ownDatabase(before: Hook, after: Hook): OwnDatabase {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  before(async () => {
    database = await createDatabase();
  });
  after(() => database.drop());
  // Asked for anew each time, because the hook comes later than this and comes again.
  return {
    get name() {
      return database.name;
    },
    get db() {
      return database.connection.db;
    },
    get superuser() {
      return database.superuser;
    },
  };
}
