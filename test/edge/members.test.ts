import CachePolicy from "http-cache-semantics";
import { beforeAll, expect, test } from "vitest";
import * as sessions from "../../src/community/users/sessions.ts";
import { cases } from "../setup.ts";
import { type World, worldForAll } from "../world.ts";

const DEVICE = { network: "203.0.113.0/24", browser: "Firefox" };
const PAGES = ["/", "/ada", "/ada/looms", "/tags", "/search?q=looms", "/settings/profile", "/signin"];

type Answer = Awaited<ReturnType<World["get"]>>;

/** The cookies of each reader. */
let readers: Record<string, string>;
const world = worldForAll({ config: { edgeSeconds: 3_600 } });
beforeAll(async () => {
  const ada = await world.user({ username: "ada", name: "Ada Looms" });
  const ben = await world.user({ username: "ben", name: "Ben Weaver" });
  await world.article(ada, { slug: "looms" });
  await world.forget();
  const cookieOf = async (user: { id: number }) =>
    `__Host-session=${await sessions.begin(world.db, { userId: user.id, ...DEVICE }, new Date())}`;
  readers = {
    stranger: "",
    "stranger with a theme": "theme=dark",
    "stranger whose session has ended": `__Host-session=${"A".repeat(43)}`,
    ada: await cookieOf(ada),
    "ada with a theme": `theme=dark; ${await cookieOf(ada)}`,
    ben: await cookieOf(ben),
  };
});

const headersOf = (cookie: string) => ({ host: "ink.example", ...(cookie !== "" && { cookie }) });
const ask = (url: string, cookie: string) => world.get(url, { headers: headersOf(cookie) });

interface Stored {
  policy: CachePolicy;
  answer: Answer;
}

/** A cache of RFC 9111 for all readers, which obeys `CDN-Cache-Control` (RFC 9213). */
function sharedCache() {
  const stored = new Map<string, Stored[]>();
  return {
    kept: 0,
    async get(url: string, cookie: string): Promise<Answer> {
      const request = { url, method: "GET", headers: headersOf(cookie) };
      const own = stored.get(url) ?? [];
      const fitting = own.find(({ policy }) => policy.satisfiesWithoutRevalidation(request));
      if (fitting !== undefined) {
        this.kept += 1;
        return fitting.answer;
      }
      const answer = await ask(url, cookie);
      const { "cdn-cache-control": targeted, ...others } = answer.headers as Record<string, string>;
      const response = {
        status: answer.status,
        headers: targeted === undefined ? others : { ...others, "cache-control": targeted },
      };
      const policy = new CachePolicy(request, response, { shared: true });
      if (policy.storable()) stored.set(url, [...own, { policy, answer }]);
      return answer;
    },
  };
}

const shown = ({ status, text, headers }: Answer) => ({
  status,
  location: headers["location"],
  text: text.replaceAll(/name="form_token" value="[^"]+"/g, "").replace(/Request <code>.*?</, ""),
});

test("a shared cache shows each reader their own pages, and a stranger those of strangers", async () => {
  const cache = sharedCache();
  const names = Object.keys(readers);
  const expected = new Map<string, ReturnType<typeof shown>>();
  for (const name of names) {
    for (const url of PAGES) {
      expected.set(`${name} ${url}`, shown(await ask(url, readers[name] as string)));
    }
  }
  // The server counts the reads of members itself: no cache sends their pages.
  expect(expected.get("stranger /ada/looms")?.text).toContain("data-article");
  expect(expected.get("ben /ada/looms")?.text).not.toContain("data-article");
  expect(expected.get("ada /")?.text).toContain("Ada Looms");
  expect(expected.get("ben /ada/looms")?.text).toContain("Ben Weaver");
  const pick = (from: readonly string[]) => from[Math.floor(Math.random() * from.length)] as string;
  for (let left = cases(2_000, 300); left > 0; left -= 1) {
    const [name, url] = [pick(names), pick(PAGES)];
    const answer = await cache.get(url, readers[name] as string);
    expect([name, url, shown(answer)]).toEqual([name, url, expected.get(`${name} ${url}`)]);
  }
  expect(cache.kept).toBeGreaterThan(20);
});
