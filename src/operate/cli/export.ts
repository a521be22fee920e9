import type { Writable } from "node:stream";
import { exportFile, type WriteOptions } from "../community-file/export.ts";
import { chooseTypes } from "../community-file/types.ts";
import { splitList } from "../../platform/config/rules.ts";
import { refuseExisting, writeNewFile } from "../../platform/files/new-file.ts";
import { count } from "../../platform/text/sentences.ts";
import { action } from "./command.ts";
import { printResult, progressLine, startProgress, step } from "./output.ts";
import { withDatabase } from "./with-database.ts";

type ExportOptions = WriteOptions & { force?: boolean };

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
  async ({ file: path, ...options }: ExportOptions & { file: string | undefined }, { json }) => {
    const file = path === "-" ? undefined : path;
    chooseTypes(options.only);
    if (file !== undefined) await refuseExisting(file, options);
    const progress = startProgress({ json: json || (file === undefined && process.stdout.isTTY) });
    const onProgress = (records: number) =>
      progress.show((seconds) => progressLine({ records, bytes: 0 }, { seconds, size: undefined }));
    const exporting = { ...options, onProgress };
    const records = await withDatabase({ json: json || file === undefined }, ({ db }) => {
      progress.show(step("Exporting"));
      const write = (sink: Writable) => exportFile(db, sink, exporting);
      return file === undefined ? write(process.stdout) : writeNewFile(file, options, write);
    }).finally(progress.end);
    if (file !== undefined)
      printResult({ json }, { records }, () => `Wrote ${count(records, "record")} to ${file}.`);
  },
);
