import { afterAll, beforeAll, beforeEach } from "vitest";
import { checkDue } from "../src/podcasts/media-checks.ts";
import { refreshDue } from "../src/podcasts/refreshing.ts";
import { list, type PodcastStatus } from "../src/podcasts/podcasts.ts";
import * as subscriptions from "../src/podcasts/subscriptions.ts";
import { cases } from "./long.ts";
import { startWorld, type World } from "./world.ts";

/** When the worlds of these tests begin. */
export const BEGINNING = new Date("2026-03-02T09:00:00Z");

const HOUR_MS = 3_600_000;

/** A world that may fetch from this computer, without podcasts at the beginning of each test, and what they do there. */
export function following() {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ config: { allowPrivateNetwork: true } });
  });
  beforeEach(async () => {
    world.setNow(BEGINNING);
    await world.db.deleteFrom("podcasts").execute();
    await world.db.deleteFrom("handles").where("kind", "=", "podcast").execute();
  });
  afterAll(() => world.stop());
  const round = () => ({
    db: world.db,
    outside: { ...world.services, feedTimeoutMs: cases(10_000, 1_500) },
    now: world.context.now,
  });
  const later = (hours: number) => world.setNow(new Date(world.context.now().getTime() + hours * HOUR_MS));

  return {
    get world() {
      return world;
    },
    later,
    add: (feedUrl: string) => subscriptions.add(round(), { feedUrl }),
    /** Reads the feeds whose time has come, as the worker does. */
    refresh: () => refreshDue(round()),
    /** The same when every feed's time has come again, whatever came of the last one. */
    async refreshLater() {
      later(30);
      return refreshDue(round());
    },
    /** Looks for the recordings whose time has come, as the worker does. */
    check: () => checkDue({ ...round(), net: world.services.net }),
    async podcast(slug = "loomcast"): Promise<PodcastStatus> {
      const found = (await list(world.db)).find((one) => one.slug === slug);
      if (!found) throw new Error(`There is no podcast ${slug}.`);
      return found;
    },
    /** Its episodes as they are stored, the newest first. */
    episodes: (slug = "loomcast") =>
      world.db
        .selectFrom("podcast_episodes")
        .innerJoin("podcasts", "podcasts.id", "podcast_id")
        .selectAll("podcast_episodes")
        .where("podcasts.slug", "=", slug)
        .orderBy("published_at", "desc")
        .orderBy("podcast_episodes.id", "desc")
        .execute(),
    /** The titles of its episodes, as readers find them. */
    async titles(slug = "loomcast"): Promise<string[]> {
      const { body } = await world.get(`/api/podcast_episodes?username=${slug}&per_page=1000`);
      return Array.isArray(body) ? (body as { title: string }[]).map(({ title }) => title) : [];
    },
  };
}
