import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { checkDue } from "../src/community/podcasts/media-checks.ts";
import { list, type PodcastStatus } from "../src/community/podcasts/podcasts.ts";
import { refreshDue } from "../src/community/podcasts/refreshing.ts";
import * as subscriptions from "../src/community/podcasts/subscriptions.ts";
import { cases } from "./setup.ts";
import { type Elsewhere, startElsewhere } from "./net.ts";
import { startWorld, type World } from "./world.ts";

/** A feed of our own, as real ones are written. */
export type FeedName = "podcast.xml" | "journal.atom" | "broken-dates.xml" | "notes.json" | "news.rdf";

export function feedFile(name: FeedName): Buffer {
  return readFileSync(join(import.meta.dirname, "feeds", name));
}

/** The answer of a path of another site. */
export type Page =
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer }
  | ((request: IncomingMessage, response: ServerResponse) => void);

/** Another site for all tests of the file or `describe`; it is empty before each of them. */
export function feedHost() {
  const pages = new Map<string, Page>();
  let site: Elsewhere;
  beforeAll(async () => {
    site = await startElsewhere((request, response) => {
      const page = pages.get(request.url ?? "") ?? { status: 404 };
      if (typeof page === "function") page(request, response);
      else response.writeHead(page.status ?? 200, page.headers ?? {}).end(page.body);
    });
  });
  beforeEach(() => {
    pages.clear();
    site.asked.length = 0;
  });
  afterAll(() => site.stop());
  return {
    /** The full address of a path. */
    at: (path: string) => `${site.url}${path}`,
    put: (path: string, page: Page) => void pages.set(path, page),
    /** The received requests of the test, at one path or at all. */
    asked: (path?: string) => site.asked.filter(({ url }) => path === undefined || url === path),
  };
}

/** An item of a podcast's feed, by its elements; its recording by `media`. */
export interface Item {
  title?: string;
  media?: string;
  guid?: string;
  date?: string;
  /** More elements, as they stand in the feed. */
  more?: string;
}

/** The RSS of a podcast. Texts stand in it as they are. */
export function podcastFeed({ title = "Loomcast", more = "", items = [] as Item[] } = {}): string {
  const written = items.map(({ title: name, media, guid, date, more: rest = "" }) =>
    [
      "<item>",
      ...(name === undefined ? [] : [`<title>${name}</title>`]),
      ...(guid === undefined ? [] : [`<guid isPermaLink="false">${guid}</guid>`]),
      ...(date === undefined ? [] : [`<pubDate>${date}</pubDate>`]),
      ...(media === undefined ? [] : [`<enclosure url="${media}" type="audio/mpeg" length="1"/>`]),
      rest,
      "</item>",
    ].join(""),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>${title}</title>${more}${written.join("\n")}</channel></rss>`;
}

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
