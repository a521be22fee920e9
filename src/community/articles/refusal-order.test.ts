import { beforeAll, describe, expect, test } from "vitest";
import { snapshot } from "../../../test/own-database.ts";
import type { Call } from "../../../test/world.ts";
import { worldForAll } from "../../../test/world.ts";
import * as settings from "../../platform/settings/settings.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const STALE = { "if-match": '"stale"' };
const BLANK = { article: { title: " " } };
/** Bodies without a usable wrapper, and the sentence that says so. */
const UNWRAPPED = [
  [{}, /^article param must be a JSON object/],
  [[], /^article param must be a JSON object/],
  [{ title: "x" }, /^article param must be a JSON object/],
  [{ article: null }, /^article param must be a JSON object/],
  [{ article: "x" }, /^article param must be a JSON object/],
  [{ article: {} }, /^param is missing or the value is empty: article$/],
] as const;

let own: number;
let foreign: number[];
let key: string;
const world = worldForAll({ now: NOW, rateLimits: true, settings: { write_burst: "1000" } });
beforeAll(async () => {
  const [ada, bob] = [await world.user(), await world.user()];
  key = await world.key(ada);
  own = (await world.article(ada)).id;
  const [draft, published] = [await world.article(bob, { published: false }), await world.article(bob)];
  foreign = [draft.id, published.id, 2_147_483_647];
});

const put = (id: number, call: Partial<Call> = {}) =>
  world.request({ method: "PUT", url: `/api/articles/${id}`, key, headers: STALE, body: BLANK, ...call });
const statusesOf = async (ids: number[], call?: Partial<Call>) =>
  Promise.all(ids.map(async (id) => (await put(id, call)).status));
const typed = (type: string) => ({ ...STALE, "content-type": type });

/** Changes the article until that is refused. */
async function useUpUpdates(): Promise<void> {
  for (let number = 0; number < 100; number += 1) {
    const { status } = await put(own, { headers: {}, body: { article: { title: `Change ${number}` } } });
    if (status === 429) return;
    expect(status).toBe(200);
  }
  throw new Error("no change was one too many");
}

/** Every request has all of the faults that come after its own. */
describe("the refusals of a change to an article come in one order, and nothing is changed", () => {
  test("401, 415, 400, 422 for the wrapper, 404, 412, 429, 422 for the attributes", async () => {
    await useUpUpdates();
    const before = await snapshot(world.db);
    const all = [own, ...foreign];
    const same = (status: number) => all.map(() => status);
    expect(await statusesOf(all, { key: "wrong", headers: typed("text/odd"), body: "{" })).toEqual(same(401));
    expect(await statusesOf(all, { headers: typed("text/odd"), body: "{" })).toEqual(same(415));
    expect(await statusesOf(all, { headers: typed("application/json"), body: "{" })).toEqual(same(400));
    for (const [body, error] of UNWRAPPED) {
      for (const id of all) {
        const reply = await put(id, { headers: typed("application/json"), body: JSON.stringify(body) });
        expect([id, body, reply]).toMatchObject([
          id,
          body,
          { status: 422, body: { error: expect.stringMatching(error), status: 422 } },
        ]);
      }
    }
    expect(await statusesOf(foreign)).toEqual([404, 404, 404]);
    expect(await statusesOf([own])).toEqual([412]);
    expect(await statusesOf([own], { headers: {} })).toEqual([429]);
    expect(await snapshot(world.db)).toEqual(before);
    world.setNow(new Date(NOW.getTime() + 3_600_000));
    expect(await statusesOf([own], { headers: {} })).toEqual([422]);
  });
});

test("where only admins may post, a new article without its wrapper is 422 before it is 401", async () => {
  await settings.set(world.db, "posting", "admins");
  const post = (body: unknown) =>
    world.request({
      method: "POST",
      url: "/api/articles",
      key,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  for (const [body] of UNWRAPPED) expect((await post(body)).status).toBe(422);
  expect((await post(BLANK)).status).toBe(401);
  await settings.set(world.db, "posting", "everyone");
});
