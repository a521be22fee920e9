import type { Command } from "commander";
import { list, type PodcastStatus } from "../podcasts/status.ts";
import type { Refreshed } from "../podcasts/subscriptions.ts";
import { quote } from "../text/quote.ts";
import { count, type JsonOption, printList, printResult } from "./output.ts";
import { userNamed } from "./named.ts";
import { formatTime } from "./times.ts";
import { withDatabase } from "./with-database.ts";

const STATUS =
  '{"id", "slug", "title", "owner", "published", "episodes", "feed_url", "succeeded_at", "due_at", "problem"}';

const NO_PODCASTS = "There are no podcasts: `inkstone podcast add` adds one.";

export function addPodcast(program: Command): void {
  const podcast = program.command("podcast").description("follow podcasts by their feeds");
  addAdd(podcast);
  addList(podcast);
  addRefresh(podcast);
  addRemove(podcast);
}

function addAdd(podcast: Command): void {
  podcast
    .command("add")
    .description("add a podcast and read its feed, now and every hour")
    .argument("<feed>", "the address of the feed")
    .option("--owner <username>", "the podcast's owner, who may hide comments on its episodes")
    .option("--json", `print ${STATUS}`)
    .addHelpText("after", "\nExample:\n  inkstone podcast add https://loomcast.example/feed.xml --owner lena")
    .action(async (feedUrl: string, { json = false, owner }: JsonOption & { owner?: string }) => {
      const { subscriptions, withOutside } = await load();
      const added = await withDatabase({ json }, ({ db }) =>
        withOutside(async (outside) => {
          const ownerId = owner === undefined ? undefined : await userNamed(db, owner);
          return subscriptions.add({ db, outside, now }, { feedUrl, ownerId });
        }),
      );
      printResult({ json }, added, () => {
        const { slug, title, episodes } = added;
        return `Added the podcast ${slug}, ${quote(title)}, with ${count(episodes, "episode")}.`;
      });
    });
}

function addList(podcast: Command): void {
  podcast
    .command("list")
    .description("print all podcasts, when their feeds were read, and why one can't be read")
    .option("--json", `print an array of ${STATUS}`)
    .addHelpText("after", "\nExample:\n  inkstone podcast list")
    .action(async ({ json = false }: JsonOption) => {
      const found = await withDatabase({ json }, ({ db }) => list(db));
      printList({ json }, found, { toLines: describe, empty: NO_PODCASTS });
    });
}

function addRefresh(podcast: Command): void {
  podcast
    .command("refresh")
    .description("read one podcast's feed now, or all; exit code 1 if one can't be read")
    .argument("[podcast]", "its slug, as `podcast list` prints it")
    .option("--json", `print an array of ${STATUS.replace("}", ', "new_episodes"}')}`)
    .addHelpText("after", "\nExamples:\n  inkstone podcast refresh\n  inkstone podcast refresh loomcast")
    .action(async (slug: string | undefined, { json = false }: JsonOption) => {
      const { subscriptions, withOutside } = await load();
      const refreshed = await withDatabase({ json }, ({ db }) =>
        withOutside((outside) => subscriptions.refresh({ db, outside, now }, slug)),
      );
      printList({ json }, refreshed, { toLines: tell, empty: NO_PODCASTS });
      if (refreshed.some(({ problem }) => problem !== null)) process.exitCode = 1;
    });
}

function addRemove(podcast: Command): void {
  podcast
    .command("remove")
    .description("remove a podcast with its episodes and their comments for good")
    .argument("<podcast>", "its slug, as `podcast list` prints it")
    .option("--json", 'print {"id", "slug", "title", "episodes"}')
    .addHelpText("after", "\nExample:\n  inkstone podcast remove loomcast")
    .action(async (asked: string, { json = false }: JsonOption) => {
      const { subscriptions } = await load();
      const { id, slug, title, episodes } = await withDatabase({ json }, ({ db }) =>
        subscriptions.remove(db, asked),
      );
      printResult({ json }, { id, slug, title, episodes }, () => {
        return `Removed the podcast ${slug}, ${quote(title)}, and its ${count(episodes, "episode")}.`;
      });
    });
}

/** What reads feeds takes a while to load. */
async function load() {
  const subscriptions = await import("../podcasts/subscriptions.ts");
  return { subscriptions, ...(await import("./with-outside.ts")) };
}

const now = () => new Date();

function describe({ slug, title, published, ...podcast }: PodcastStatus): string {
  const { episodes, owner, feed_url, succeeded_at, problem } = podcast;
  const parts = [
    count(episodes, "episode"),
    ...(owner === null ? [] : [`of ${owner}`]),
    ...(published ? [] : ["not published"]),
    feed_url ?? "no feed",
    ...(feed_url === null ? [] : [succeeded_at ? `read ${formatTime(succeeded_at)}` : "never read"]),
  ];
  return `${slug}  ${quote(title)} (${parts.join(", ")})${problem === null ? "" : `: ${problem}`}`;
}

function tell({ slug, new_episodes, problem }: Refreshed): string {
  if (problem !== null) return `${slug} can't be read: ${problem}`;
  return `${slug} has ${new_episodes === 0 ? "nothing new" : count(new_episodes, "new episode")}.`;
}
