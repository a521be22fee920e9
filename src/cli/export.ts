import { type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import type { Command } from "commander";
import type { WriteOptions } from "../community-file/export.ts";
import type { Db } from "../db/connect.ts";
import { invalid } from "../errors.ts";
import { count, type JsonOption, printResult } from "./output.ts";
import { progressLine, startProgress, step } from "./progress.ts";
import { parseTypes } from "./types-option.ts";
import { withDatabase } from "./with-database.ts";

type ExportArguments = JsonOption & WriteOptions & { force?: boolean };

/** It holds e-mail addresses, and perhaps hashes. */
const OWNER_ONLY = 0o600;

export function addExport(program: Command): void {
  program
    .command("export")
    .description("write the site as a community file, as it is at this moment")
    .argument("[file]", "a new file; standard output when left out, or -")
    .option("--only <types>", "records of these types only, separated by commas", parseTypes)
    .option(
      "--with-secrets",
      "hashes of passwords and API keys, and webhooks' secrets, so that they go on working elsewhere",
    )
    .option("--force", "overwrite the file if it exists")
    .option("--json", 'print {"records": …} when the file is written')
    .addHelpText(
      "after",
      "\nExamples:\n  inkstone export community.ndjson --with-secrets\n  inkstone export --only article | gzip > articles.gz",
    )
    .action(async (given: string | undefined, options: ExportArguments) => {
      const file = given === "-" ? undefined : given;
      const { chooseTypes } = await import("../community-file/types.ts");
      chooseTypes(options.only);
      if (file !== undefined) await refuseExisting(file, options);
      // Where both streams are read by one script, it wants no notices.
      const quiet = { json: options.json === true || file === undefined };
      const records = await withDatabase(quiet, ({ db }) =>
        watching(options, file, (watched) =>
          file === undefined ? toStandardOutput(db, watched) : toFile(db, file, watched),
        ),
      );
      if (file !== undefined) {
        printResult(options, { records }, () => `Wrote ${count(records, "record")} to ${file}.`);
      }
    });
}

/** Shows progress, unless the records themselves are shown. */
async function watching(
  options: ExportArguments,
  file: string | undefined,
  work: (watched: ExportArguments) => Promise<number>,
): Promise<number> {
  const progress = startProgress({
    json: options.json === true || (file === undefined && process.stdout.isTTY),
  });
  progress.show(step("Exporting"));
  const onProgress = (records: number) =>
    progress.show((seconds) => progressLine({ records, bytes: 0 }, { seconds, size: undefined }));
  return work({ ...options, onProgress }).finally(progress.end);
}

/** @throws AppError invalid when a file of this name may not be replaced */
async function refuseExisting(file: string, { force }: ExportArguments): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined || (found.isFile() && force)) return;
  if (found.isFile())
    throw invalid(`${file} exists already: name another file, or overwrite it with --force.`);
  throw invalid(
    `${file} exists already and is no ordinary file: name another one, or leave it out to write to standard output.`,
  );
}

/** Under another name until it is whole, so that a file of this name is never half an export. */
async function toFile(db: Db, file: string, options: ExportArguments): Promise<number> {
  const part = `${file}.part`;
  await rm(part, { force: true });
  const handle = await open(part, "wx", OWNER_ONLY);
  try {
    const records = await write(db, handle, options);
    // It may have been made meanwhile.
    await refuseExisting(file, options);
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

async function toStandardOutput(db: Db, options: WriteOptions): Promise<number> {
  const { exportFile } = await import("../community-file/export.ts");
  try {
    return await exportFile(db, process.stdout, options);
  } catch (error) {
    // The reader has read enough, as `head` does.
    if ((error as NodeJS.ErrnoException).code === "EPIPE") return 0;
    throw error;
  }
}
