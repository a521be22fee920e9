import { join } from "node:path";
import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { createFiles } from "../files/files.ts";
import * as uploads from "../uploads/uploads.ts";
import { count, type JsonOption, printList, printResult } from "./output.ts";
import { userNamed } from "./named.ts";
import { formatTime } from "./times.ts";
import { withDatabase } from "./with-database.ts";

export function addUpload(program: Command): void {
  const upload = program.command("upload").description("list and remove uploaded images");
  addList(upload);
  addRemove(upload);
}

function addList(upload: Command): void {
  upload
    .command("list")
    .description("print a person's images, newest first")
    .requiredOption("--user <username>", "the owner of the images")
    .option("--json", 'print an array of {"name", "bytes", "created_at", "url"}')
    .addHelpText("after", "\nExample:\n  inkstone upload list --user lena")
    .action(async ({ json = false, user }: JsonOption & { user: string }) => {
      const { baseUrl } = readConfig();
      const found = await withDatabase({ json }, async ({ db }) => {
        const listed = await uploads.list(db, await userNamed(db, user));
        return listed.map((one) => ({ ...one, url: `${baseUrl}/uploads/${one.name}` }));
      });
      printList({ json }, found, {
        toLines: ({ created_at, bytes, url }) => `${formatTime(created_at)}  ${count(bytes, "byte")}  ${url}`,
        empty: `${user} has uploaded no images.`,
      });
    });
}

function addRemove(upload: Command): void {
  upload
    .command("remove")
    .description("remove an image for good; articles that show it show nothing in its place")
    .argument("<image>", "its name or address, as `upload list` prints them")
    .option("--json", 'print {"name", "user_id"}')
    .addHelpText(
      "after",
      "\nExample:\n  inkstone upload remove 3f2a9c0d5e7b41688a1c2d3e4f506172.jpg\n\nRun it as the user that the server runs as, with its settings.",
    )
    .action(async (image: string, { json = false }: JsonOption) => {
      const files = createFiles(join(readConfig().dataDir, "files"));
      const removed = await withDatabase({ json }, ({ db }) => uploads.remove({ db, files }, nameIn(image)));
      printResult({ json }, removed, () => `Removed ${removed.name}.`);
    });
}

/** The end of an address. */
function nameIn(image: string): string {
  return image.slice(image.lastIndexOf("/") + 1);
}
