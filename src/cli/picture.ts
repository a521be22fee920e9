import type { Command } from "commander";
import * as remotePictures from "../remote-pictures/remote-pictures.ts";
import { count, type JsonOption, printList, printResult } from "./output.ts";
import { formatTime } from "./times.ts";
import { withDatabase } from "./with-database.ts";

export function addPicture(program: Command): void {
  const picture = program
    .command("picture")
    .description("pictures of people, organizations and podcasts that are fetched from other sites");
  addList(picture);
  addRefresh(picture);
}

function addList(picture: Command): void {
  picture
    .command("list")
    .description("print the pictures that couldn't be fetched yet, and why")
    .option("--json", 'print an array of {"kind", "username", "url", "failure", "due_at"}')
    .addHelpText("after", "\nExample:\n  inkstone picture list")
    .action(async ({ json = false }: JsonOption) => {
      const found = await withDatabase({ json }, ({ db }) => remotePictures.missing(db));
      const shown = found.map(({ id: _id, ...picture }) => picture);
      printList({ json }, shown, { toLines: toLine, empty: "There are no pictures left to fetch." });
    });
}

function toLine({ username, url, failure, due_at }: Omit<remotePictures.Missing, "id">): string {
  const next = due_at === null ? "given up" : `next at ${formatTime(due_at)}`;
  return `${username}  ${url}  ${next}${failure === null ? "" : `: ${failure}`}`;
}

function addRefresh(picture: Command): void {
  picture
    .command("refresh")
    .description("make the running server fetch missing pictures now, including those given up")
    .option("--json", 'print {"due"}')
    .addHelpText("after", "\nExample:\n  inkstone picture refresh")
    .action(async ({ json = false }: JsonOption) => {
      const due = await withDatabase({ json }, ({ db }) => remotePictures.tryAgain(db, new Date()));
      printResult({ json }, { due }, () => `${count(due, "picture")} will be fetched by the running server.`);
    });
}
