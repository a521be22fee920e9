import { list as listPodcasts, type PodcastStatus } from "../../community/podcasts/podcasts.ts";
import * as subscriptions from "../../community/podcasts/subscriptions.ts";
import { count } from "../../platform/text/sentences.ts";
import { quote } from "../../platform/text/quote.ts";
import { userNamed } from "./arguments.ts";
import { command, group, list } from "./command.ts";
import { formatTime } from "./output.ts";
import { withFetcher } from "./with-fetcher.ts";

const STATUS = [
  "id",
  "slug",
  "title",
  "owner",
  "published",
  "episodes",
  "feed_url",
  "succeeded_at",
  "due_at",
  "problem",
] as const;

const NO_PODCASTS = "There are no podcasts: `inkstone podcast add` adds one.";

export const addPodcast = group("podcast", "follow podcasts by their feeds", [
  command({
    name: "add",
    text: "add a podcast and read its feed, now and every hour",
    args: { "<feed>": "the address of the feed" },
    options: { "--owner <username>": "the podcast's owner, who may hide comments on its episodes" },
    json: STATUS,
    examples: "inkstone podcast add https://loomcast.example/feed.xml --owner lena",
    run: async (db, { feed, owner }: { feed: string; owner?: string }) => {
      const ownerId = owner === undefined ? undefined : await userNamed(db, owner);
      return withFetcher(db, (fetcher) => subscriptions.add(fetcher, { feedUrl: feed, ownerId }));
    },
    print: ({ slug, title, episodes }) =>
      `Added the podcast ${slug}, ${quote(title)}, with ${count(episodes, "episode")}.`,
  }),
  list({
    name: "list",
    text: "print all podcasts, when their feeds were read, and why one can't be read",
    json: STATUS,
    examples: "inkstone podcast list",
    run: (db) => listPodcasts(db),
    line: describe,
    empty: () => NO_PODCASTS,
  }),
  list({
    name: "refresh",
    text: "read one podcast's feed now, or all; exit code 1 if one can't be read",
    args: { "[podcast]": "its slug, as `podcast list` prints it" },
    json: [...STATUS, "new_episodes"],
    examples: ["inkstone podcast refresh", "inkstone podcast refresh loomcast"],
    run: (db, { podcast }: { podcast: string | undefined }) =>
      withFetcher(db, (fetcher) => subscriptions.refresh(fetcher, podcast)),
    line: ({ slug, new_episodes, problem }) => {
      if (problem !== null) return `${slug} can't be read: ${problem}`;
      return `${slug} has ${new_episodes === 0 ? "nothing new" : count(new_episodes, "new episode")}.`;
    },
    empty: () => NO_PODCASTS,
    failed: (podcasts) => podcasts.some(({ problem }) => problem !== null),
  }),
  command({
    name: "remove",
    text: "remove a podcast with its episodes and their comments for good",
    args: { "<podcast>": "its slug, as `podcast list` prints it" },
    json: ["id", "slug", "title", "episodes"],
    examples: "inkstone podcast remove loomcast",
    run: (db, { podcast }: { podcast: string }) => subscriptions.remove(db, podcast),
    print: ({ slug, title, episodes }) =>
      `Removed the podcast ${slug}, ${quote(title)}, and its ${count(episodes, "episode")}.`,
  }),
]);

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
