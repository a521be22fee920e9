import { describe, expect, test } from "vitest";
import { worldForAll } from "../../test/world.ts";

const world = worldForAll();

/** The counts of misspelt parameters, by operation and the known name. */
async function misspelt(): Promise<string[]> {
  const { text } = await world.get("/metrics");
  return text.split("\n").filter((line) => line.startsWith("inkstone_misspelt_parameters_total{"));
}

const read = async (query: string) => {
  const { status, body } = await world.get(`/api/articles${query}`);
  expect([status, body]).toEqual([200, []]);
};

test("an unknown parameter within two letters of a known one is ignored and counted once for each name", async () => {
  for (const query of ["", "?per_page=1", "?utm_source=mail&_=17", "?zzzz=1"]) await read(query);
  expect(await misspelt()).toEqual([]);
  for (const query of ["?per_pge=x", "?per_pge=y", "?perPage=1&tga=wool", "?peer_page=0"]) await read(query);
  expect(await misspelt()).toEqual([
    'inkstone_misspelt_parameters_total{operation="listArticles",parameter="per_page"} 3',
    'inkstone_misspelt_parameters_total{operation="listArticles",parameter="tag"} 1',
  ]);
});

/** A query of names that are near `page`, each of them another. */
function namesFrom(first: number, count: number): string {
  const names = Array.from({ length: count }, (_, index) => `pag${String.fromCodePoint(first + index)}`);
  return `?${names.map((name) => `${encodeURIComponent(name)}=1`).join("&")}`;
}

const ofPage = async () => (await misspelt()).find((line) => line.includes('"page"'));

test("one request counts ten names at most", async () => {
  await read(namesFrom(0x4e00, 200));
  expect(await ofPage()).toMatch(/ 10$/);
});

test("names are counted however many there were: the oldest are forgotten", async () => {
  for (let first = 0x5000; first < 0x5000 + 1_000; first += 10) await read(namesFrom(first, 10));
  expect(await ofPage()).toMatch(/ 1010$/);
  await read(namesFrom(0x5000, 1));
  expect(await ofPage()).toMatch(/ 1010$/);
  await read(namesFrom(0x6000, 10));
  expect(await ofPage()).toMatch(/ 1020$/);
  await read(namesFrom(0x5001, 1));
  expect(await ofPage()).toMatch(/ 1021$/);
});

describe("a response to a read of the API warns of unknown parameters,", () => {
  const of = (sentence: string) => `299 inkstone "Parameter ${sentence}"`;
  const ignored = (name: string) => of(`${name} is unknown and was ignored.`);
  const meant = (name: string, parameter: string) =>
    of(`${name} is unknown and was ignored: did you mean ${parameter}?`);
  const warningOf = async (url: string, request: object = {}) =>
    (await world.get(url, request)).headers["warning"];

  test.each([
    ["/api/articles/search?query=wool", meant("query", "q")],
    ["/api/articles/search?Q=wool&zzzz=1", `${meant("Q", "q")}, ${ignored("zzzz")}`],
    ["/api/articles?perPage=3&page=1", meant("perPage", "per_page")],
    ["/api/articles?utm_source=mail", ignored("utm_source")],
    ["/api/tags?caf%C3%A9%0D%0Ax%22%2C=1", ignored("caf%C3%A9%0D%0Ax%22%2C")],
    ["/api/articles?=1", ignored("")],
    ["/api/articles?page=1", undefined],
    ["/?query=wool", undefined],
  ])("by the name that is near: %s", async (url, warning) => {
    expect(await warningOf(url)).toBe(warning);
  });

  test("with a refusal, a HEAD and a response that hasn't changed too", async () => {
    const warning = ignored("zzzz");
    expect(await warningOf("/api/articles?zzzz=1&page=x")).toBe(warning);
    const { headers } = await world.request({ method: "HEAD", url: "/api/articles?zzzz=1" });
    expect(headers["warning"]).toBe(warning);
    const known = { "if-none-match": String(headers["etag"]) };
    const unchanged = await world.get("/api/articles?zzzz=1", { headers: known });
    expect([unchanged.status, unchanged.headers["warning"]]).toEqual([304, warning]);
  });

  test("each time, and never that of another request for the same response", async () => {
    for (let time = 0; time < 3; time++) {
      expect(await warningOf("/api/videos?zzzz=1")).toBe(ignored("zzzz"));
      expect(await warningOf("/api/videos")).toBeUndefined();
      expect(await warningOf("/api/videos?yyyy=1")).toBe(ignored("yyyy"));
    }
  });

  test("ten of them at most, each shortened", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `${"z".repeat(100)}${index}`);
    const warning = await warningOf(`/api/articles?${names.map((name) => `${name}=1`).join("&")}`);
    expect(warning).toBe(Array.from({ length: 10 }, () => ignored("z".repeat(60))).join(", "));
  });
});
