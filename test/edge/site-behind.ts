import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll } from "vitest";
import { exchange, type Exchanged } from "../exchange.ts";
import { startWorld, type World } from "../world.ts";
import { type Call, type Edge, startNginx } from "./edges.ts";

/** A server whose answers caches may keep, and a cache in front of it. */
export function siteBehind(edgeSeconds: number) {
  let world: World;
  let edge: Edge;
  let port: number;
  let key: string;
  let ada: Awaited<ReturnType<World["user"]>>;
  /** Request lines that came to the server. */
  const came: string[] = [];
  let colds = 0;
  beforeAll(async () => {
    world = await startWorld({ config: { edgeSeconds, trustProxy: ["127.0.0.1"] } });
    ada = await world.user({ username: "ada" });
    key = await world.key(ada);
    await world.article(ada, {
      slug: "looms",
      title: "Looms",
      body_markdown: "Words of looms. ".repeat(200),
    });
    world.app.server.prependListener("request", ({ method, url }) => void came.push(`${method} ${url}`));
    await world.app.listen({ host: "127.0.0.1", port: 0 });
    ({ port } = world.app.server.address() as AddressInfo);
    edge = await startNginx(port);
  });
  afterAll(async () => {
    await edge.stop();
    await world.stop();
  });
  return {
    get world() {
      return world;
    },
    get ada() {
      return ada;
    },
    get key() {
      return key;
    },
    get edge() {
      return edge;
    },
    ask: (path: string, call?: Call) => edge.ask(path, call),
    /** The answer of the server itself. */
    directly: (path: string, headers: Record<string, string> = {}) => exchange({ port, path, headers }),
    /** The address under which nothing is kept yet. */
    cold: (path: string) => `${path}${path.includes("?") ? "&" : "?"}cold=${++colds}`,
    /** The requests that come to the server meanwhile. */
    async during(work: () => Promise<unknown>): Promise<string[]> {
      const before = came.length;
      await work();
      return came.slice(before);
    },
    async leave() {
      const closed = new Promise((resolve) => world.app.server.close(resolve));
      world.app.server.closeAllConnections();
      await closed;
    },
    comeBack: () => new Promise<void>((resolve) => void world.app.server.listen(port, "127.0.0.1", resolve)),
  };
}

/** What a reader gets, beside what belongs to the request or to the cache. */
export function shown({ status, headers, body }: Exchanged) {
  const fields = ["content-type", "etag", "cache-control", "cdn-cache-control", "vary", "location", "link"];
  return {
    status,
    ...Object.fromEntries(fields.map((name) => [name, headers[name]])),
    body: (headers["content-encoding"] === "gzip" ? gunzipSync(body) : body)
      .toString()
      .replace(/Request <code>.*?</, "Request <code><"),
  };
}

/** The same for an answer of the server itself, whose word to caches they hide. */
export const shownBehind = (answer: Exchanged) => ({ ...shown(answer), "cdn-cache-control": undefined });
