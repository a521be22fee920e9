import { lstat, open, rename, rm } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { exportFile, type WriteOptions } from "../community-file/export.ts";
import { chooseTypes } from "../community-file/types.ts";
import { splitList } from "../config/rules.ts";
import type { Db } from "../db/connect.ts";
import { invalid } from "../errors.ts";
import { count } from "../text/sentences.ts";
import { action } from "./command.ts";
import { printResult, progressLine, startProgress, step } from "./output.ts";
import { withDatabase } from "./with-database.ts";

type ExportOptions = WriteOptions & { force?: boolean };

/** The file has e-mail addresses, and maybe hashes. */
const OWNER_ONLY = 0o600;

export const addExport = action(
  {
    name: "export",
    text: "write the site as a community file, as it is at this moment",
    args: { "[file]": "a new file; standard output when left out, or -" },
    options: {
      "--only <types>": { text: "records of these types only, separated by commas", parse: splitList },
      "--with-secrets":
        "hashes of passwords and API keys, and webhooks' secrets, so that they go on working elsewhere",
      "--force": "overwrite the file if it exists",
    },
    json: 'print {"records": …} when the file is written',
    examples: [
      "inkstone export community.ndjson --with-secrets",
      "inkstone export --only article | gzip > articles.gz",
    ],
  },
  async ({ file: given, ...wanted }: ExportOptions & { file: string | undefined }, { json }) => {
    const file = given === "-" ? undefined : given;
    chooseTypes(wanted.only);
    if (file !== undefined) await refuseExisting(file, wanted);
    const progress = startProgress({ json: json || (file === undefined && process.stdout.isTTY) });
    const onProgress = (records: number) =>
      progress.show((seconds) => progressLine({ records, bytes: 0 }, { seconds, size: undefined }));
    const options = { ...wanted, onProgress };
    const records = await withDatabase({ json: json || file === undefined }, ({ db }) => {
      progress.show(step("Exporting"));
      return file === undefined ? exportFile(db, process.stdout, options) : toFile(db, file, options);
    }).finally(progress.end);
    if (file !== undefined)
      printResult({ json }, { records }, () => `Wrote ${count(records, "record")} to ${file}.`);
  },
);

/** @throws AppError invalid */
async function refuseExisting(file: string, { force }: ExportOptions): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined || (found.isFile() && force)) return;
  if (found.isFile())
    throw invalid(`${file} exists already: name another file, or overwrite it with --force.`);
  throw invalid(
    `${file} exists already and is not a regular file: name another one, or leave it out to write to standard output.`,
  );
}

/** Writes under another name first, so that `file` is never half an export. */
async function toFile(db: Db, file: string, options: ExportOptions): Promise<number> {
  const part = `${file}.part`;
  await rm(part, { force: true });
  const handle = await open(part, "wx", OWNER_ONLY);
  try {
    const sink = handle.createWriteStream({ flush: true });
    const records = await exportFile(db, sink, options);
    sink.end();
    await finished(sink);
    await refuseExisting(file, options);
    await rename(part, file);
    return records;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
