import type { Command } from "commander";
import * as articles from "../articles/articles.ts";
import type { Db } from "../db/connect.ts";
import * as listings from "../listings/aliases.ts";
import * as editing from "../tags/editing.ts";
import { count, type JsonOption, printResult } from "./output.ts";
import { withDatabase } from "./with-database.ts";

type EditArguments = JsonOption & { bgColor?: string; textColor?: string; summary?: string };

export function addTag(program: Command): void {
  const tag = program.command("tag").description("change and merge tags");
  addEdit(tag);
  addAlias(tag);
  addMerge(tag);
}

function addEdit(tag: Command): void {
  tag
    .command("edit")
    .description("change how a tag is shown; an empty text removes a field")
    .argument("<tag>", "its name")
    .option("--bg-color <colour>", "the colour behind its name, like #f7df1e")
    .option("--text-color <colour>", "the colour of its name")
    .option("--summary <text>", "what it is about")
    .option("--json", 'print {"id", "name", "changed"}')
    .addHelpText(
      "after",
      "\nExample:\n  inkstone tag edit javascript --bg-color '#f7df1e' --text-color '#000000'",
    )
    .action(async (name: string, { json = false, bgColor, textColor, summary }: EditArguments) => {
      const change = {
        ...(bgColor !== undefined && { bg_color_hex: bgColor }),
        ...(textColor !== undefined && { text_color_hex: textColor }),
        ...(summary !== undefined && { short_summary: summary }),
      };
      const edited = await withDatabase({ json }, ({ db }) => editing.edit(db, { name, change }));
      printResult({ json }, edited, () =>
        edited.changed ? `Changed the tag ${edited.name}.` : `The tag ${edited.name} is like that already.`,
      );
    });
}

function addAlias(tag: Command): void {
  const alias = tag
    .command("alias")
    .description("make a name an alias of a tag, or a tag of its own again")
    .argument("<name>", "the alias, which may be a new name")
    .argument("[tag]", "the tag that it stands for")
    .option("--remove", "make the alias a tag of its own")
    .option(
      "--json",
      'print {"alias", "tag", "changed", "articles", "listings"}, or {"id", "name", "changed"} with --remove',
    )
    .addHelpText("after", "\nExamples:\n  inkstone tag alias js javascript\n  inkstone tag alias js --remove")
    .action(async (name: string, of: string | undefined, options: JsonOption & { remove?: boolean }) => {
      if (options.remove && of !== undefined)
        refuse(alias, "Give either the tag that it stands for or --remove, not both");
      if (of !== undefined) return makeAlias({ name, of }, options);
      if (!options.remove) refuse(alias, "Name the tag that it stands for, or give --remove");
      const removed = await withDatabase(options, ({ db }) => editing.removeAlias(db, name));
      return printResult(options, removed, () =>
        removed.changed
          ? `${removed.name} is a tag of its own.`
          : `${removed.name} is no other name of any tag.`,
      );
    });
}

/** As wrong usage. */
function refuse(command: Command, sentence: string): never {
  return command.error(sentence, { exitCode: 2 });
}

async function makeAlias(wanted: { name: string; of: string }, options: JsonOption): Promise<void> {
  const made = await withDatabase(options, ({ db }) => become(db, wanted));
  printResult(options, made, () => {
    const { alias, tag, changed } = made;
    const state = `${alias} is ${changed ? "now" : "already"} another name of ${tag}.`;
    return `${state} ${moved(made)}`;
  });
}

function addMerge(tag: Command): void {
  tag
    .command("merge")
    .description("move everything from one tag to another; the first becomes its alias")
    .argument("<from>", "the tag that becomes an alias")
    .argument("<into>", "the tag that stays")
    .option("--json", 'print {"from", "into", "articles", "listings"}')
    .addHelpText("after", "\nExample:\n  inkstone tag merge garden gardening")
    .action(async (name: string, of: string, { json = false }: JsonOption) => {
      const merged = await withDatabase({ json }, ({ db }) => become(db, { name, of, mustExist: true }));
      const { alias: from, tag: into, articles, listings } = merged;
      printResult({ json }, { from, into, articles, listings }, () => {
        return `Merged ${from} into ${into}: ${moved(merged)}`;
      });
    });
}

/** Moves what carries the name at once, in small transactions; ended early, a server's background work goes on with it. */
async function become(db: Db, wanted: Parameters<typeof editing.alias>[1]) {
  const made = await editing.alias(db, wanted);
  return {
    ...made,
    articles: await articles.refreshAll(db, { alias: made.alias }, new Date()),
    listings: await listings.followAlias(db, made.alias),
  };
}

function moved({ articles, listings }: { articles: number; listings: number }): string {
  return `${count(articles, "article")} and ${count(listings, "listing")} moved.`;
}
