import { saveBefore } from "../backup/before-migration.ts";
import { readConfig, typed } from "../config.ts";
import { type Migrated, migrate } from "../db/migrate.ts";
import type { Connection } from "../db/connect.ts";
import { hasSessions } from "../db/sessions.ts";
import { asOwner, checkServer, type Preparation } from "../db/prepare-database.ts";
import { invalid } from "../errors.ts";
import { count } from "../text/sentences.ts";
import { action } from "./command.ts";
import { printResult } from "./output.ts";
import { untilSignal } from "./until-signal.ts";
import { withDatabase } from "./with-database.ts";

export const addMigrate = action(
  {
    name: "migrate",
    text: "update the database's schema, while older servers run",
    options: {
      "--finish": "also remove what only older servers use, when none of them is connected any more",
      "--no-backup": "don't save the database before",
    },
    json: 'print {"ran": [...], "waiting": [...]}',
    examples: ["inkstone migrate", "inkstone migrate --finish"],
    note: "When there is something to run, the database is first saved in DATA_DIR/backups. The last two are kept.",
  },
  async (given: Given, called) => {
    const update = (program: Connection, preparation: Preparation) =>
      migrateAsOwner(program, preparation, given);
    const done = await withDatabase(called, update, async () => {});
    printResult(called, done, () => describe(done));
  },
);

interface Given {
  finish?: boolean;
  backup: boolean;
}

async function migrateAsOwner(
  program: Connection,
  { owner, log }: Preparation,
  { finish = false, backup }: Given,
): Promise<Migrated> {
  if (finish && !(await hasSessions(program.pool))) throw invalid(HIDDEN);
  const config = readConfig();
  return asOwner(program, owner, async (connection, programRole) => {
    await checkServer(connection.db);
    const before = async (first: string) => {
      const file = await untilSignal((signal) => saveBefore(first, { connection, config, signal }));
      log(`Saved the database as it is in ${file}.`);
    };
    return migrate(connection, { programRole, finish, ...(backup && { before }) });
  });
}

const HIDDEN =
  "A connection pooler hides which servers are connected: set DATABASE_DIRECT_URL, for this command and for each server.";

function describe({ ran, waiting }: Migrated): string {
  const done =
    ran.length === 0
      ? "The schema is up to date."
      : `Ran ${count(ran.length, "migration")}: ${ran.join(", ")}.`;
  if (waiting.length === 0) return done;
  return `${done}\nWhen no older server runs any more, run \`${typed("migrate --finish")}\` for ${waiting.join(", ")}.`;
}
