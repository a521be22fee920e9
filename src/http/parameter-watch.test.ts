import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorld, type World } from "../../test/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

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
