import { type FileHandle, open, rename, rm } from "node:fs/promises";
import type { Command } from "commander";
import type { WriteOptions } from "../community-file/export.ts";
import type { Db } from "../db/connect.ts";
import { count, type JsonOption, printResult } from "./output.ts";
import { parseTypes } from "./types-option.ts";
import { withDatabase } from "./with-database.ts";

type ExportArguments = JsonOption & WriteOptions;

/** It holds e-mail addresses, and perhaps hashes. */
const OWNER_ONLY = 0o600;

export function addExport(program: Command): void {
  program
    .command("export")
    .description("write the site as a community file, as it is at this moment")
    .argument("[file]", "where to; standard output when left out, or -")
    .option("--only <types>", "records of these types only, separated by commas", parseTypes)
    .option(
      "--with-secrets",
      "hashes of passwords and API keys, and webhooks' secrets, so that they go on working elsewhere",
    )
    .option("--json", 'print {"records": …} when the file is written')
    .addHelpText(
      "after",
      "\nExamples:\n  inkstone export community.ndjson --with-secrets\n  inkstone export --only article | gzip > articles.gz",
    )
    .action(async (given: string | undefined, options: ExportArguments) => {
      const file = given === "-" ? undefined : given;
      const { chooseTypes } = await import("../community-file/types.ts");
      chooseTypes(options.only);
      // Notices would be in the way of nothing, but a script that reads both streams wants silence.
      const quiet = { json: options.json === true || file === undefined };
      if (file === undefined) await withDatabase(quiet, ({ db }) => toStandardOutput(db, options));
      else {
        const records = await withDatabase(quiet, ({ db }) => toFile(db, file, options));
        printResult(options, { records }, () => `Wrote ${count(records, "record")} to ${file}.`);
      }
    });
}

/** Under another name until it is whole, so that a file of this name is never half an export. */
async function toFile(db: Db, file: string, options: WriteOptions): Promise<number> {
  const part = `${file}.part`;
  await rm(part, { force: true });
  const handle = await open(part, "wx", OWNER_ONLY);
  try {
    const records = await write(db, handle, options);
    await rename(part, file);
    return records;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function write(db: Db, handle: FileHandle, options: WriteOptions): Promise<number> {
  const { exportFile } = await import("../community-file/export.ts");
  const sink = handle.createWriteStream({ flush: true });
  const records = await exportFile(db, sink, options);
  await new Promise<void>((resolve, reject) => {
    sink.once("error", reject).end(resolve);
  });
  return records;
}

async function toStandardOutput(db: Db, options: WriteOptions): Promise<void> {
  const { exportFile } = await import("../community-file/export.ts");
  try {
    await exportFile(db, process.stdout, options);
  } catch (error) {
    // Whoever reads has read enough, as `head` does.
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  }
}
