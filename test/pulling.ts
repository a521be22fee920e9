import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { basename, dirname } from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll } from "vitest";
import { importFile } from "../src/operate/community-file/import.ts";
import { createConverter } from "../src/community/feed-imports/converter.ts";
import { pull, type PullOptions } from "../src/operate/importers/pull.ts";
import { article, bytesOf, NOW } from "./community-file.ts";
import { type Elsewhere, netFor, startElsewhere } from "./net.ts";
import type { Fields, foreignImports } from "./foreign-imports.ts";
import { renderPool, startWorld, type World } from "./world.ts";

/** Answers in the place of the site, which doesn't get the request, and says so. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Lets a fault happen to the requests of these numbers. */
export function faultAt(numbers: number[], happen: (response: ServerResponse) => void): Fault {
  let number = 0;
  return (_request, response) => {
    number += 1;
    if (!numbers.includes(number)) return false;
    happen(response);
    return true;
  };
}

const RECORDS = [
  {
    type: "user",
    username: "lena",
    name: "Lena Ortiz",
    summary: "Gardens.",
    created_at: "2022-03-02T00:00:00Z",
    api_keys: [{ key: "a-key-of-lena-0123456789", description: "Test" }],
  },
  { type: "user", username: "ben", name: "Ben", created_at: "2023-01-01T00:00:00Z" },
  {
    type: "organization",
    username: "seeds",
    name: "Seeds",
    tag_line: "Grow.",
    created_at: "2023-01-01T00:00:00Z",
  },
  { type: "tag", name: "gardening", bg_color_hex: "#00ff00", text_color_hex: "#000000" },
  article("one", {
    body_markdown: "# One\n\nText.",
    tags: ["gardening"],
    imported_reactions_count: 3,
    published_at: "2025-01-01T00:00:00Z",
    created_at: "2024-12-31T00:00:00Z",
  }),
  article("two", { organization: "seeds", published_at: "2025-01-02T00:00:00Z" }),
  article("three", { author: "ben", published_at: "2025-01-03T00:00:00Z" }),
  article("hidden-temp-slug-1", { published: false, published_at: undefined }),
  comment("1", "Well *done*, <b>you</b>.", { author: "ben" }),
  comment("2", "Thanks.", { parent: "1" }),
  comment("3", "Gone.", { author: "ben", deleted: true }),
];
/** The key of lena there. */
export const KEY = "a-key-of-lena-0123456789";

function comment(id_code: string, body_markdown: string, more: Fields): Fields {
  const created_at = `2025-01-0${id_code}T00:00:00Z`;
  return { type: "comment", id_code, author: "lena", article: "one", body_markdown, created_at, ...more };
}

/** Pulls from a site for all tests of a file: this program, whose answers come by another server that can fail. */
export function pullsInto(site: ReturnType<typeof foreignImports>) {
  const net = netFor();
  const converter = createConverter();
  let world: World;
  let there: Elsewhere;
  let fault: Fault | undefined;
  const reset = () => {
    fault = undefined;
    there.asked.length = 0;
  };
  beforeAll(async () => {
    const settings = { read_rate: "1000", read_burst: "100000" };
    world = await startWorld({ now: NOW, rateLimits: true, settings });
    await importFile(world.db, Readable.from([bytesOf(RECORDS)]), { renderPool, now: NOW });
    there = await startElsewhere((request, response) => {
      if (fault?.(request, response)) return;
      const call = { url: request.url ?? "/", headers: request.headers as Record<string, string> };
      void world.app.inject(call).then(({ statusCode, headers, rawPayload }) => {
        return response.writeHead(statusCode, headers as Record<string, string>).end(rawPayload);
      });
    });
  });
  afterEach(reset);
  afterAll(async () => {
    await there.stop();
    await world.stop();
    await converter.close();
    await net.close();
  });

  return {
    reset,
    get url() {
      return there.url;
    },
    get asked() {
      return there.asked;
    },
    fail(next: Fault): void {
      fault = next;
    },
    /** Pulls without waiting, and tells how long it would have waited. */
    async pulled(options: Partial<PullOptions> = {}) {
      const to = options.to ?? site.newPath("pulled.ndjson");
      const pauses: number[] = [];
      const pause = async (milliseconds: number) => void pauses.push(milliseconds);
      const result = await pull({ net, converter, from: there.url, to, pause, ...options });
      const text = await readFile(to, "utf8");
      const lines = text.split("\n").filter((line) => line !== "");
      return { result, text, pauses, records: lines.map((line) => JSON.parse(line) as Fields) };
    },
  };
}

/** The files whose names begin with that of a file. */
export async function filesLike(file: string): Promise<string[]> {
  const names = await readdir(dirname(file));
  return names.filter((name) => name.startsWith(basename(file)));
}
