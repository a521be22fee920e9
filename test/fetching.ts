import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Db } from "../src/platform/db/connect.ts";
import { createConverter } from "../src/community/feed-imports/converter.ts";
import * as imports from "../src/community/feed-imports/imports.ts";
import { type DueOptions, fetchDue } from "../src/platform/fetches/due.ts";
import * as fetches from "../src/platform/fetches/fetches.ts";
import { feedHost } from "./feeds.ts";
import { createServices, startWorld, type World } from "./world.ts";

const MINUTE_MS = 60_000;

/** One kind of things that are fetched, at a time that stands still until it is moved. */
export function things(db: Db, kind: string) {
  let now = new Date("2026-01-01T00:00:00Z");
  const round = (handle: DueOptions["handle"], options: Partial<DueOptions> = {}): Promise<number> =>
    fetchDue({ db, kind, now: () => now, everySeconds: 3600, handle, ...options });
  return {
    round,
    now: () => now,
    later(minutes: number) {
      now = new Date(now.getTime() + minutes * MINUTE_MS);
    },
    schedule: (...ids: number[]) => fetches.schedule(db, kind, ids, { at: now }),
    unschedule: (...ids: number[]) => fetches.unschedule(db, kind, ids),
    refresh: (id: number) => fetches.refresh(db, kind, [id], now),
    status: async (id: number) => (await fetches.statusOf(db, kind, [id])).get(id),
    /** In how many minutes it is due. */
    async dueIn(id: number): Promise<number> {
      const status = (await fetches.statusOf(db, kind, [id])).get(id);
      return ((status?.due_at.getTime() ?? Number.NaN) - now.getTime()) / MINUTE_MS;
    },
    /** The numbers of those that a round takes. */
    async taken(options: Partial<DueOptions> = {}): Promise<number[]> {
      const ids: number[] = [];
      await round(async ({ id }) => {
        ids.push(id);
        return {};
      }, options);
      return ids.toSorted((one, other) => one - other);
    },
  };
}

/** Something that is waited for. */
export function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/** When it is in these tests. */
export const NOW = new Date("2026-03-31T12:00:00Z");

/** A post of a blog. What it leaves out its feed says nothing of. */
export interface Post {
  title?: string;
  html?: string;
  link?: string;
  guid?: string;
  /** As its format has it. */
  date?: string;
  tags?: string[];
  /** More elements, as they stand in the feed. */
  more?: string;
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const element = (name: string, text: string | undefined, attributes = "") =>
  text === undefined ? "" : `<${name}${attributes}>${escaped(text)}</${name}>`;

/** The RSS of a blog. */
export function rss(posts: Post[], link = "https://blog.example/"): string {
  const items = posts.map((post) =>
    [
      "<item>",
      element("title", post.title),
      element("link", post.link),
      element("guid", post.guid, ' isPermaLink="false"'),
      element("pubDate", post.date),
      element("content:encoded", post.html),
      ...(post.tags ?? []).map((tag) => element("category", tag)),
      post.more ?? "",
      "</item>",
    ].join(""),
  );
  return `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
    xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
    <channel><title>A blog</title><link>${escaped(link)}</link>${items.join("\n")}</channel></rss>`;
}

/** The same as Atom. */
export function atom(posts: Post[]): string {
  const entries = posts.map((post) =>
    [
      "<entry>",
      element("title", post.title),
      post.link === undefined ? "" : `<link href="${escaped(post.link)}"/>`,
      element("id", post.guid),
      element("published", post.date),
      element("updated", post.date),
      element("content", post.html, ' type="html"'),
      ...(post.tags ?? []).map((tag) => `<category term="${escaped(tag)}"/>`),
      post.more ?? "",
      "</entry>",
    ].join(""),
  );
  return `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
    <title>A blog</title><link href="https://blog.example/"/>${entries.join("\n")}</feed>`;
}

/** The same as JSON Feed. */
export function jsonFeed(posts: Post[], more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: "A blog",
    home_page_url: "https://blog.example/",
    items: posts.map(({ title, html, link, guid, date, tags }) => ({
      id: guid,
      url: link,
      title,
      content_html: html,
      date_published: date,
      tags,
      ...more,
    })),
  });
}

/** A world for all tests of the file, which reads feeds of another site on this computer. */
export function importing() {
  const there = feedHost();
  const converter = createConverter();
  let world: World;
  let serial = 0;
  let path = "";
  beforeAll(async () => {
    world = await startWorld({ now: NOW, config: { allowPrivateNetwork: true } });
  });
  beforeEach(() => {
    world.setNow(NOW);
    path = `/feed-${++serial}`;
  });
  afterAll(async () => {
    await converter.close();
    await world.stop();
  });

  const surroundings = (services = world.services) => ({
    db: world.db,
    outside: services,
    renderer: services.renderPool,
    converter,
    now: world.context.now,
  });

  return {
    there,
    surroundings,
    get world() {
      return world;
    },
    /** A new author. */
    author: (fields: Record<string, unknown> = {}) =>
      world.user({ username: `author_${++serial}`, ...fields }),
    /** Sets the content of the test's feed. */
    says: (body: string, headers: Record<string, string> = {}) => there.put(path, { body, headers }),
    answers: (page: Parameters<typeof there.put>[1]) => there.put(path, page),
    asked: () => there.asked(path),
    url: () => there.at(path),
    /** Adds the test's feed to an author, which reads it at once. */
    add: ({ id }: { id: number }, { publish = false } = {}) =>
      imports.add(surroundings(), { userId: id, url: there.at(path), publish }),
    remove: (id: number) => imports.remove(world.db, id),
    /** Reads it once more, as an operator. */
    async refresh(id: number) {
      const [refreshed] = await imports.refresh(surroundings(), id);
      if (!refreshed) throw new Error(`There is no feed ${id}.`);
      return refreshed;
    },
    /** Reads what is due, as the worker of another process does. */
    async refreshDueElsewhere() {
      const services = createServices(world.db, world.context.config);
      try {
        return await imports.refreshDue(surroundings(services));
      } finally {
        await services.net.close();
        services.images.close();
      }
    },
    later: (hours: number) => world.setNow(new Date(world.context.now().getTime() + hours * 3_600_000)),
    /** The stored articles of an author, in order of creation. */
    articles: ({ id }: { id: number }) =>
      world.db.selectFrom("articles").selectAll().where("author_id", "=", id).orderBy("id").execute(),
  };
}
