import { saveBefore } from "../backup/before-migration.ts";
import { readConfig } from "../../platform/config.ts";
import { migrate } from "../../platform/db/migrate.ts";
import type { Connection } from "../../platform/db/connect.ts";
import { asOwner, checkServer, type Preparation } from "../../platform/db/prepare-database.ts";
import { count } from "../../platform/text/sentences.ts";
import { action } from "./command.ts";
import { printResult } from "./output.ts";
import { untilSignal } from "./until-signal.ts";
import { withDatabase } from "./with-database.ts";

export const addMigrate = action(
  {
    name: "migrate",
    text: "update the database's schema, while older servers run",
    options: { "--no-backup": "don't save the database before" },
    json: 'print {"ran": [...]}',
    examples: ["inkstone migrate"],
    note: "When there is something to run, the database is first saved in DATA_DIR/backups. The last two are kept.",
  },
  async (given: Given, called) => {
    const update = (program: Connection, preparation: Preparation) =>
      migrateAsOwner(program, preparation, given);
    const ran = await withDatabase(called, update, async () => {});
    printResult(called, { ran }, () =>
      ran.length === 0
        ? "The schema is up to date."
        : `Ran ${count(ran.length, "migration")}: ${ran.join(", ")}.`,
    );
  },
);

interface Given {
  backup: boolean;
}

async function migrateAsOwner(
  program: Connection,
  { owner, log }: Preparation,
  { backup }: Given,
): Promise<string[]> {
  const config = readConfig();
  return asOwner(program, owner, async (connection, programRole) => {
    await checkServer(connection.db);
    const before = async (first: string) => {
      const file = await untilSignal((signal) => saveBefore(first, { connection, config, signal }));
      log(`Saved the database as it is in ${file}.`);
    };
    return migrate(connection, { programRole, ...(backup && { before }) });
  });
}
