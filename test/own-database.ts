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

/**
 * A new database for every test of the file, or of the `describe` that this stands in: empty, or a copy of this
 * template.
 */
export const databaseForEach = (template?: () => Promise<string>): OwnDatabase =>
  ownDatabase(beforeEach, afterEach, template);

type Hook = (work: () => Promise<void>) => void;

function ownDatabase(before: Hook, after: Hook, template?: () => Promise<string>): OwnDatabase {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  before(async () => {
    database = await createDatabase(await template?.());
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
