import { type BackupOf, lacking, type Tally, writeBackup } from "../backup/backup.ts";
import { readConfig } from "../../platform/config.ts";
import type { Connection } from "../../platform/db/connect.ts";
import { SCHEMA_PROBLEM, schemaState } from "../../platform/db/migrate.ts";
import { invalid } from "../../platform/errors.ts";
import { sizeOf } from "../../platform/files/disk.ts";
import { refuseExisting, writeNewFile } from "../../platform/files/new-file.ts";
import { openFiles, placeOf } from "../../platform/files/open.ts";
import { count } from "../../platform/text/sentences.ts";
import { action, AS_THE_SERVER } from "./command.ts";
import { note, printResult, startProgress, step } from "./output.ts";
import { untilSignal, withDatabase } from "./with-database.ts";

interface Given {
  file: string;
  withoutFiles?: boolean;
  force?: boolean;
}

export const addBackup = action(
  {
    name: "backup",
    text: "write all that the site holds into one file, as it is at this moment, while it runs",
    args: { "<file>": "a new file, or - for standard output" },
    options: {
      "--without-files": "leave out uploaded images",
      "--force": "overwrite the file if it exists",
    },
    json: 'print {"file", "bytes", "tables", "rows", "files", "missing"} when the file is written',
    examples: [
      "inkstone backup community.tar",
      "inkstone backup - | age -r age1… > community.tar.age",
      "inkstone restore community.tar",
    ],
    note: `The file has e-mail addresses, hashes of passwords and keys, and secrets of webhooks. ${AS_THE_SERVER}`,
  },
  async ({ file, withoutFiles = false, force }: Given, called) => {
    const isStream = file === "-";
    if (isStream && process.stdout.isTTY)
      called.refuse("Standard output is a terminal: name a file, or pass the backup on to a program.");
    if (!isStream) await refuseExisting(file, { force });
    const config = readConfig();
    const progress = startProgress(called);
    const onProgress = (done: Tally) => progress.show(step(describe(done)));
    const quiet = { json: called.json || isStream };
    const done = await withDatabase(
      quiet,
      (opened) =>
        untilSignal(async (signal) => {
          progress.show(step("Saving"));
          await requireSite(opened);
          const of: BackupOf = {
            db: opened.db,
            connection: opened.connection,
            files: withoutFiles ? undefined : await openFiles(config),
            baseUrl: config.baseUrl,
            parallel: 2,
            now: new Date(),
            signal,
            onProgress,
          };
          if (isStream) return writeToReader(of);
          return writeNewFile(file, { force }, (sink) => writeBackup(of, sink));
        }),
      async () => {},
    ).finally(progress.end);
    const text = `Saved ${describe(done)}, ${sizeOf(done.bytes)}`;
    if (isStream) note(`${text}.`);
    else printResult(called, { file, ...done }, () => `${text}, in ${file}.`);
    if (done.missing === 0) return;
    note(`inkstone: ${lacking(done.missing, placeOf(config))}`);
    process.exitCode = 1;
  },
);

/** Other commands are done when their reader has read enough. */
async function writeToReader(of: BackupOf): Promise<Tally> {
  let hasReader = true;
  process.stdout.removeAllListeners("error").on("error", () => (hasReader = false));
  return writeBackup(of, process.stdout).catch((error: unknown) => {
    if (hasReader) throw error;
    throw invalid("The program that reads standard output has ended: its message says why.");
  });
}

const describe = ({ tables, rows, files }: Tally): string =>
  `${count(rows, "row")} of ${count(tables, "table")} and ${count(files, "file")}`;

/** A schema of another version is saved as it is. @throws AppError invalid */
async function requireSite({ db }: Connection): Promise<void> {
  const state = await schemaState(db);
  if (state === "empty") throw invalid("The database is empty: there is nothing to save.");
  if (state === "closed") throw invalid(SCHEMA_PROBLEM.closed);
}
