import { type Migrated, migrate } from "../db/migrate.ts";
import type { Connection } from "../db/connect.ts";
import { hasSessions } from "../db/sessions.ts";
import { asOwner, checkServer, type Preparation } from "../db/prepare-database.ts";
import { invalid } from "../errors.ts";
import { count } from "../text/sentences.ts";
import { action } from "./command.ts";
import { printResult } from "./output.ts";
import { withDatabase } from "./with-database.ts";

export const addMigrate = action(
  {
    name: "migrate",
    text: "update the database's schema, while older servers run",
    options: {
      "--finish": "also remove what only older servers use, when none of them is connected any more",
    },
    json: 'print {"ran": [...], "waiting": [...]}',
    examples: ["inkstone migrate", "inkstone migrate --finish"],
  },
  async ({ finish = false }: { finish?: boolean }, called) => {
    const update = (program: Connection, preparation: Preparation) =>
      migrateAsOwner(program, preparation, finish);
    const done = await withDatabase(called, update, async () => {});
    printResult(called, done, () => describe(done));
  },
);

async function migrateAsOwner(
  program: Connection,
  { owner }: Preparation,
  finish: boolean,
): Promise<Migrated> {
  if (finish && !(await hasSessions(program.pool))) throw invalid(HIDDEN);
  return asOwner(program, owner, async (connection, programRole) => {
    await checkServer(connection.db);
    return migrate(connection, { programRole, finish });
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
  return `${done}\nWhen no older server runs any more, run \`inkstone migrate --finish\` for ${waiting.join(", ")}.`;
}
