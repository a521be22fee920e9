import type { Command } from "commander";
import { readConfig } from "../config.ts";
import type { Db } from "../db/connect.ts";
import type { Surroundings } from "../imports/fetching.ts";
import type { Refreshed } from "../imports/imports.ts";
import { list, type SourceStatus } from "../imports/status.ts";
import { count, type JsonOption, printList, printResult } from "./output.ts";
import { userNamed } from "./named.ts";
import { parseId } from "./parse-id.ts";
import { formatTime } from "./times.ts";
import { withDatabase } from "./with-database.ts";

const STATUS =
  '{"id", "user", "url", "publish", "created_at", "imported", "skipped", "succeeded_at", "due_at", "problem", "last_skipped": [{"title", "reason", "seen_at"}]}';

const NO_FEEDS = "There are no feeds: `inkstone feed add` adds one.";

export function addFeed(program: Command): void {
  const feed = program.command("feed").description("import feeds as articles");
  addAdd(feed);
  addList(feed);
  addRefresh(feed);
  addRemove(feed);
}

function addAdd(feed: Command): void {
  feed
    .command("add")
    .description("turn a feed's items into drafts, now and every hour")
    .argument("<url>", "the address of an RSS, Atom or JSON feed")
    .requiredOption("--user <username>", "the author of the articles")
    .option("--publish", "publish them instead")
    .option("--json", `print ${STATUS}`)
    .addHelpText("after", "\nExample:\n  inkstone feed add https://lena.example/feed.xml --user lena")
    .action(async (url: string, options: JsonOption & { user: string; publish?: boolean }) => {
      const { json = false, user, publish = false } = options;
      const { addReadable, withSurroundings } = await load();
      const added = await withDatabase({ json }, async ({ db }) => {
        const userId = await userNamed(db, user);
        return withSurroundings(db, (surroundings) => addReadable(surroundings, { userId, url, publish }));
      });
      printResult({ json }, added, () => {
        const outcome = added.problem ?? `${madeOf(added.imported, added.skipped)}.`;
        return `Added the feed ${added.id} of ${added.user}: ${outcome}`;
      });
    });
}

function addList(feed: Command): void {
  feed
    .command("list")
    .description("print all feeds, what came of them, and why one can't be read")
    .option("--json", `print an array of ${STATUS}`)
    .addHelpText("after", "\nExample:\n  inkstone feed list")
    .action(async ({ json = false }: JsonOption) => {
      const found = await withDatabase({ json }, ({ db }) => list(db));
      printList({ json }, found, { toLines: describe, empty: NO_FEEDS });
    });
}

function addRefresh(feed: Command): void {
  feed
    .command("refresh")
    .description("read one feed now, or all")
    .argument("[id]", "the number of the feed, as `feed list` prints it", parseId("a feed"))
    .option("--json", `print an array of what \`list\` prints, each with "new_imported" and "new_skipped"`)
    .addHelpText("after", "\nExamples:\n  inkstone feed refresh\n  inkstone feed refresh 3")
    .action(async (id: number | undefined, { json = false }: JsonOption) => {
      const { imports, withSurroundings } = await load();
      const refreshed = await withDatabase({ json }, ({ db }) =>
        withSurroundings(db, (surroundings) => imports.refresh(surroundings, id)),
      );
      printList({ json }, refreshed, { toLines: tell, empty: NO_FEEDS });
      if (refreshed.some(({ problem }) => problem !== null)) process.exitCode = 1;
    });
}

function addRemove(feed: Command): void {
  feed
    .command("remove")
    .description("stop reading a feed; the articles that came from it stay")
    .argument("<id>", "the number of the feed, as `feed list` prints it", parseId("a feed"))
    .option("--json", 'print {"id", "user", "url"}')
    .addHelpText("after", "\nExample:\n  inkstone feed remove 3")
    .action(async (id: number, { json = false }: JsonOption) => {
      const { imports } = await load();
      const removed = await withDatabase({ json }, ({ db }) => imports.remove(db, id));
      printResult({ json }, removed, () => `Removed the feed ${id} of ${removed.user}: ${removed.url}`);
    });
}

/** What reads feeds takes a while to load. */
async function load() {
  const imports = await import("../imports/imports.ts");
  const { withOutside } = await import("./with-outside.ts");
  const { createConverter } = await import("../imports/converter.ts");
  const { createRenderPool } = await import("../text/render-pool.ts");
  const withSurroundings = <T>(db: Db, work: (surroundings: Surroundings) => Promise<T>) =>
    withOutside(async (outside) => {
      const renderer = createRenderPool({ size: 1, baseUrl: readConfig().baseUrl });
      const converter = createConverter();
      try {
        return await work({ db, outside, renderer, converter, now: () => new Date() });
      } finally {
        await Promise.all([renderer.close(), converter.close()]);
      }
    });
  const addReadable: typeof imports.add = async (surroundings, wanted) => {
    await imports.requireReadable(surroundings, wanted.url);
    return imports.add(surroundings, wanted);
  };
  return { imports, addReadable, withSurroundings };
}

function describe(source: SourceStatus): string[] {
  const { id, user, url, publish, imported, skipped, succeeded_at, problem, last_skipped } = source;
  const parts = [
    publish ? `published for ${user}` : `drafts for ${user}`,
    madeOf(imported, skipped),
    succeeded_at ? `read ${formatTime(succeeded_at)}` : "never read",
  ];
  const line = `${id}  ${url} (${parts.join(", ")})${problem === null ? "" : `: ${problem}`}`;
  return [
    line,
    ...last_skipped.map(({ title, reason }) => `   left out ${JSON.stringify(title)}: ${reason}`),
  ];
}

function madeOf(imported: number, skipped: number): string {
  return `${count(imported, "article")}${skipped === 0 ? "" : `, ${skipped} left out`}`;
}

function tell({ id, new_imported: imported, new_skipped: skipped, problem }: Refreshed): string {
  if (problem !== null) return `The feed ${id} can't be read: ${problem}`;
  if (imported + skipped === 0) return `The feed ${id} has nothing new.`;
  return `The feed ${id} brought ${madeOf(imported, skipped)}.`;
}
