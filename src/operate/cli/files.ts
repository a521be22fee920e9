import { readConfig } from "../../platform/config.ts";
import { invalid } from "../../platform/errors.ts";
import { copyFiles } from "../../platform/files/copy.ts";
import { sizeOf } from "../../platform/files/disk.ts";
import { openFiles, placeOf } from "../../platform/files/open.ts";
import { count } from "../../platform/text/sentences.ts";
import { action, AS_THE_SERVER, group } from "./command.ts";
import { printResult, startProgress, step } from "./output.ts";

export const addFiles = group("files", "copy the site's files between the disk and an S3 store", [
  action(
    {
      name: "copy",
      text: "copy all files, and compare each copy; run again, it copies what is missing or different",
      options: {
        "--to <store>": {
          text: "s3: from DATA_DIR to the bucket; disk: back",
          required: true,
          choices: ["s3", "disk"],
        },
      },
      json: 'print {"to", "copied", "present", "bytes"}',
      examples: ["inkstone files copy --to s3", "inkstone files copy --to disk"],
      note: `A server may run meanwhile. Nothing is removed. ${AS_THE_SERVER}`,
    },
    async ({ to }: { to: "s3" | "disk" }, called) => {
      const config = readConfig();
      if (config.s3 === undefined)
        throw invalid("This command has no S3 store: set S3_ENDPOINT and the other variables of S3_….");
      const local = { ...config, s3: undefined };
      const [source, target] = to === "s3" ? [local, config] : [config, local];
      const progress = startProgress(called);
      progress.show(step("Listing what is there"));
      const copied = await copyFiles(await openFiles(source), await openFiles(target), (done) =>
        progress.show(
          step(`${count(done.copied + done.present, "file")}, ${sizeOf(done.bytes)} of them copied`),
        ),
      ).finally(progress.end);
      printResult(called, { to, ...copied }, () => describe(copied, placeOf(target)));
    },
  ),
]);

function describe({ copied, present, bytes }: Awaited<ReturnType<typeof copyFiles>>, place: string): string {
  const before = present === 0 ? "" : `; ${count(present, "file")} ${present === 1 ? "was" : "were"} there`;
  return `Copied ${count(copied, "file")} (${count(bytes, "byte")}) to ${place}${before}.`;
}
