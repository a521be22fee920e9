import { type Config, readConfig } from "../../platform/config.ts";
import { migrate } from "../../platform/db/migrate.ts";
import type { Connection } from "../../platform/db/connect.ts";
import { asOwner, checkServer, type Preparation } from "../../platform/db/prepare-database.ts";
import { count } from "../../platform/text/sentences.ts";
import { action } from "./command.ts";
import { printResult } from "./output.ts";
import { untilSignal, withDatabase } from "./with-database.ts";
import { join } from "node:path";
import { writeBackup } from "../backup/backup.ts";
import { openFolder } from "../backup/places.ts";

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

async function migrateAsOwner(program: Connection, { owner, log }: Preparation, { backup }: Given) {
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

const KEPT = 2;
const NAME = /^before-.+\.tar$/;

/** Saves the rows before a migration, which changes no files, and returns the path. The last two stay. */
async function saveBefore(
  migration: string,
  { connection, config, signal }: { connection: Connection; config: Config; signal: AbortSignal },
): Promise<string> {
  const folder = join(config.dataDir, "backups");
  const place = openFolder(folder);
  const name = `before-${migration.replace(/\.sql$/, "")}.tar`;
  const { baseUrl } = config;
  const of = { ...connection, files: undefined, baseUrl, parallel: 2, now: new Date(), signal };
  await place.write(name, (sink) => writeBackup(of, sink));
  // Migrations are numbered.
  const others = (await place.list())
    .map((file) => file.name)
    .filter((other) => NAME.test(other) && other !== name)
    .toSorted();
  for (const other of others.slice(0, others.length - KEPT + 1)) await place.remove(other);
  return join(folder, name);
}
