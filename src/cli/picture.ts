import type { Command } from "commander";
import * as remotePictures from "../remote-pictures/remote-pictures.ts";
import { count, type JsonOption, printResult } from "./output.ts";
import { withDatabase } from "./with-database.ts";

export function addPicture(program: Command): void {
  const picture = program
    .command("picture")
    .description(
      "see which pictures of people, organizations and podcasts couldn't be fetched from elsewhere yet",
    );
  addList(picture);
  addRefresh(picture);
}

function addList(picture: Command): void {
  picture
    .command("list")
    .description("print the pictures that aren't here yet, and why")
    .option("--json", 'print an array of {"kind", "username", "url", "failure", "due_at"}')
    .addHelpText("after", "\nExample:\n  inkstone picture list")
    .action(async ({ json = false }: JsonOption) => {
      const found = await withDatabase({ json }, ({ db }) => remotePictures.missing(db));
      const shown = found.map(({ id: _id, ...picture }) => picture);
      printResult({ json }, shown, () => shown.map(toLine).join("\n") || "There is nothing.");
    });
}

function toLine({ username, url, failure, due_at }: Omit<remotePictures.Missing, "id">): string {
  const next = due_at === null ? "given up" : `next on ${due_at.toISOString()}`;
  return `${username}  ${url}  ${next}${failure === null ? "" : `: ${failure}`}`;
}

function addRefresh(picture: Command): void {
  picture
    .command("refresh")
    .description("have the server fetch what isn't here yet at once, also what was given up")
    .option("--json", 'print {"due"}')
    .addHelpText("after", "\nExample:\n  inkstone picture refresh")
    .action(async ({ json = false }: JsonOption) => {
      const due = await withDatabase({ json }, ({ db }) => remotePictures.tryAgain(db, new Date()));
      printResult({ json }, { due }, () => `${count(due, "picture")} will be fetched by the running server.`);
    });
}
