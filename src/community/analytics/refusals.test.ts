import { beforeAll, describe, expect, test } from "vitest";
import { type World, worldForAll } from "../../../test/world.ts";

let ada: Awaited<ReturnType<World["user"]>>;
let key: string;
let lab: number;
const world = worldForAll({ now: new Date("2026-03-31T12:00:00Z") });
beforeAll(async () => {
  ada = await world.user({ username: "ada" });
  key = await world.key(ada);
  await world.user({ username: "ben" });
  const members = [{ username: "ada", role: "member" }];
  lab = (await world.organization({ username: "lab", members })).id;
});

const ask = (path: string, by: string = key) => world.get(`/api/analytics/${path}`, { key: by });

describe("who asks for what isn't theirs", () => {
  test.each(["totals", "past_day", "referrers", "historical?start=2026-3-1"])(
    "%s needs a key",
    async (path) => {
      expect(await world.get(`/api/analytics/${path}`)).toMatchObject({ status: 401 });
      expect(await ask(path, "wrong")).toMatchObject({ status: 401 });
    },
  );

  test("is refused an organization that they don't belong to, and finds none that isn't there", async () => {
    const { id } = await world.organization({ username: "guild" });
    expect(await ask(`totals?organization_id=${id}`)).toMatchObject({
      status: 401,
      body: { error: "unauthorized", status: 401 },
    });
    for (const unknown of ["999999", "0", "-1", "lab", "1e3", "99999999999"]) {
      expect(await ask(`totals?organization_id=${unknown}`)).toMatchObject({ status: 404 });
    }
  });

  test("is refused an article of another person, a draft, and a missing one", async () => {
    const strange = await world.article({ username: "ben" });
    const draft = await world.article(ada, { published: false });
    const ofLab = await world.article(ada, { organization: "lab" });
    const own = await world.article(ada);
    const refused = { error: "You can't view this article's stats", status: 422 };
    for (const query of [
      `article_id=${strange.id}`,
      `article_id=${draft.id}`,
      "article_id=999999",
      "article_id=abc",
      `article_id=${own.id}&organization_id=${lab}`,
    ]) {
      expect((await ask(`totals?${query}`)).body).toEqual(refused);
    }
    expect(await ask(`totals?article_id=${ofLab.id}`)).toMatchObject({ status: 200 });
  });
});

describe("a range of days", () => {
  const FORMAT = "Date parameters 'start' or 'end' must be in the format of 'yyyy-mm-dd'";
  test.each([
    ["", "Required 'start' parameter is missing"],
    ["start=&end=2026-3-1", "Required 'start' parameter is missing"],
    ["start=2026/2/1", FORMAT],
    ["start=2026-02-01T00:00:00Z", FORMAT],
    ["start=26-02-01", FORMAT],
    ["start=2026-2-1&end=1.2.2026", FORMAT],
    ["start=2026-2-30", 'start must be a day of the calendar, not "2026-2-30"'],
    ["start=0000-1-1", 'start must be a day of the calendar, not "0000-1-1"'],
    ["start=2026-2-1&end=2026-13-1", 'end must be a day of the calendar, not "2026-13-1"'],
    ["start=2026-2-2&end=2026-2-1", "end must not be before start, which is 2026-02-02"],
    ["start=2026-4-1", "end must not be before start, which is 2026-04-01"],
    [
      "start=2016-03-23&end=2026-03-31",
      "start and end must not be more than 3660 days apart: ask for one part after another",
    ],
  ])("is refused: %s", async (query, error) => {
    expect((await ask(`historical?${query}`)).body).toEqual({ error, status: 422 });
    if (query.includes("start=2"))
      expect((await ask(`referrers?${query}`)).body).toEqual({ error, status: 422 });
  });
});
