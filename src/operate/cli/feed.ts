import * as imports from "../../community/feed-imports/imports.ts";
import { list as listFeeds, type SourceStatus } from "../../community/feed-imports/imports.ts";
import { count } from "../../platform/text/sentences.ts";
import { id, userNamed } from "./arguments.ts";
import { command, group, list } from "./command.ts";
import { formatTime } from "./output.ts";
import { withFetcher } from "./with-fetcher.ts";

const STATUS =
  '{"id", "user", "url", "publish", "created_at", "imported", "skipped", "succeeded_at", "due_at", "problem", "last_skipped": [{"title", "reason", "seen_at"}]}';

const NO_FEEDS = "There are no feeds: `inkstone feed add` adds one.";
const FEED = { text: "the number of the feed, as `feed list` prints it", parse: id("a feed") };

export const addFeed = group("feed", "import feeds as articles", [
  command({
    name: "add",
    text: "turn a feed's items into drafts, now and every hour",
    args: { "<url>": "the address of an RSS, Atom or JSON feed" },
    options: {
      "--user <username>": { text: "the author of the articles", required: true },
      "--publish": "publish them instead",
    },
    json: `print ${STATUS}`,
    examples: "inkstone feed add https://lena.example/feed.xml --user lena",
    run: async (db, { url, user, publish = false }: { url: string; user: string; publish?: boolean }) => {
      const userId = await userNamed(db, user);
      return withFetcher(db, async (fetcher) => {
        await imports.requireReadable(fetcher, url);
        return imports.add(fetcher, { userId, url, publish });
      });
    },
    print: ({ id, user, problem, imported, skipped }) =>
      `Added the feed ${id} of ${user}: ${problem ?? `${countsOf(imported, skipped)}.`}`,
  }),
  list({
    name: "list",
    text: "print all feeds, what came of them, and why one can't be read",
    json: `print an array of ${STATUS}`,
    examples: "inkstone feed list",
    run: (db) => listFeeds(db),
    line: describe,
    empty: () => NO_FEEDS,
  }),
  list({
    name: "refresh",
    text: "read one feed now, or all",
    args: { "[id]": FEED },
    json: 'print an array of what `list` prints, each with "new_imported" and "new_skipped"',
    examples: ["inkstone feed refresh", "inkstone feed refresh 3"],
    run: (db, { id }: { id: number | undefined }) =>
      withFetcher(db, (fetcher) => imports.refresh(fetcher, id)),
    line: ({ id, new_imported: imported, new_skipped: skipped, problem }) => {
      if (problem !== null) return `The feed ${id} can't be read: ${problem}`;
      if (imported + skipped === 0) return `The feed ${id} has nothing new.`;
      return `The feed ${id} brought ${countsOf(imported, skipped)}.`;
    },
    empty: () => NO_FEEDS,
    failed: (feeds) => feeds.some(({ problem }) => problem !== null),
  }),
  command({
    name: "remove",
    text: "stop reading a feed; the articles that came from it stay",
    args: { "<id>": FEED },
    json: ["id", "user", "url"],
    examples: "inkstone feed remove 3",
    run: (db, { id }: { id: number }) => imports.remove(db, id),
    print: ({ id, user, url }) => `Removed the feed ${id} of ${user}: ${url}`,
  }),
]);

function describe(source: SourceStatus): string[] {
  const { id, user, url, publish, imported, skipped, succeeded_at, problem, last_skipped } = source;
  const parts = [
    publish ? `published for ${user}` : `drafts for ${user}`,
    countsOf(imported, skipped),
    succeeded_at ? `read ${formatTime(succeeded_at)}` : "never read",
  ];
  const line = `${id}  ${url} (${parts.join(", ")})${problem === null ? "" : `: ${problem}`}`;
  return [
    line,
    ...last_skipped.map(({ title, reason }) => `   left out ${JSON.stringify(title)}: ${reason}`),
  ];
}

const countsOf = (imported: number, skipped: number): string =>
  `${count(imported, "article")}${skipped === 0 ? "" : `, ${skipped} left out`}`;
