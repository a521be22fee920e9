import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";

/** What another site answers at one of its paths. */
export type Page =
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer }
  | ((request: IncomingMessage, response: ServerResponse) => void);

export interface Asked {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
}

/** Another site, on loopback, for all tests of the file or `describe`; it is empty before each of them. */
export function elsewhere() {
  const pages = new Map<string, Page>();
  let asked: Asked[] = [];
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    asked.push({ method, path: url, headers });
    const page = pages.get(url) ?? { status: 404 };
    if (typeof page === "function") return page(request, response);
    response.writeHead(page.status ?? 200, page.headers ?? {});
    response.end(method === "HEAD" ? undefined : page.body);
  });
  let origin = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    pages.clear();
    asked = [];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    /** The full address of a path. */
    at: (path: string) => `${origin}${path}`,
    put: (path: string, page: Page) => void pages.set(path, page),
    /** What was asked for since the test began, at one path or at all. */
    asked: (path?: string) => asked.filter((one) => path === undefined || one.path === path),
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
