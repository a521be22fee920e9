import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as settings from "../../src/platform/settings/settings.ts";
import { CANARY, type Cast, ORGANIZATION, ROLES, type Role, startCast, STATES } from "./cast.ts";

let cast: Cast;
let tag: string;
beforeAll(async () => {
  cast = await startCast();
  for (const state of STATES) await cast.article(cast.people.owner, state);
  const { tag_list } = await cast.world.db
    .selectFrom("articles")
    .select("tag_list")
    .where("state", "=", "published")
    .executeTakeFirstOrThrow();
  tag = String(tag_list[0]);
});
afterAll(() => cast.world.stop());

/** Other formats than JSON; in a private community only with a key. */
const GUARDED = [
  ...["", ".atom", ".json"].flatMap((suffix) => [
    `/feed${suffix}`,
    `/feed/olga${suffix}`,
    `/feed/${ORGANIZATION}${suffix}`,
    `/feed/tag/TAG${suffix}`,
    `/feed/search${suffix}?q=some`,
  ]),
  "/sitemap.xml",
  "/sitemap-pages.xml",
  "/sitemap-articles-1.xml",
  "/sitemap-people-1.xml",
  "/sitemap-organizations-1.xml",
  "/sitemap-tags-1.xml",
];
const OPEN = "/robots.txt";

/** Whose key is worth nothing. */
const STRANGERS: readonly Role[] = ["anonymous", "suspended", "revoked", "expired"];

/** The status of each role, and whether the answer reveals anything. */
async function statuses(path: string): Promise<Partial<Record<Role, number>>> {
  const found: Partial<Record<Role, number>> = {};
  for (const role of ROLES) {
    const reply = await cast.world.get(path.replace("TAG", tag), { key: cast.keyOf(role) });
    found[role] = reply.status;
    expect([path, role, reply.text.includes(CANARY)]).toEqual([path, role, false]);
  }
  return found;
}

const everybody = (statusOf: (role: Role) => number) =>
  Object.fromEntries(ROLES.map((role) => [role, statusOf(role)]));

describe("all roles read what is public, and nothing else, not even their own", () => {
  test.each([...GUARDED, OPEN])("at %s", async (path) => {
    expect(await statuses(path)).toEqual(everybody(() => 200));
  });

  test("in the feed of a tag that only what isn't public has", async () => {
    const { body } = await cast.world.get(`/feed/tag/${CANARY}.json`, { key: cast.keyOf("owner") });
    expect((body as { items?: object[] }).items ?? []).toEqual([]);
  });
});

describe("a private community shows nothing without a valid key", () => {
  beforeAll(() => settings.set(cast.world.db, "visibility", "private"));
  afterAll(() => settings.set(cast.world.db, "visibility", "public"));

  test.each(GUARDED)("at %s", async (path) => {
    expect(await statuses(path)).toEqual(everybody((role) => (STRANGERS.includes(role) ? 401 : 200)));
  });

  test("but that robots are to stay away", async () => {
    expect(await statuses(OPEN)).toEqual(everybody(() => 200));
    expect((await cast.world.get(OPEN)).text).toBe("User-agent: *\nDisallow: /\n");
  });
});
