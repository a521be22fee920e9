import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type Elsewhere, startElsewhere } from "./elsewhere.ts";

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
