import { beforeAll, describe, expect, test } from "vitest";
import { followNext, search, type SearchParameters, searchUrl } from "../../../test/searching.ts";
import { worldForAll } from "../../../test/world.ts";
import * as vocabulary from "../../search/vocabulary.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const REFUSAL = "cursor is not one that this list gave: start again without it";

const world = worldForAll({ now: NOW });
beforeAll(async () => {
  await world.user({ username: "ada" });
  for (const number of [1, 2, 3, 4, 5]) {
    await world.article({ username: "ada" }, { title: `Tide ${number}`, imported_reactions_count: number });
  }
  for (const number of [1, 2, 3])
    await world.article({ username: "ada" }, { title: "?!", slug: `signs-${number}-x` });
  await vocabulary.addUpChanges(world.db);
});

async function cursorOf(parameters: SearchParameters): Promise<string> {
  const { next } = await search(world, { ...parameters, per_page: 2 });
  return new URL(next as string, "https://ink.example").searchParams.get("cursor") as string;
}

const read = (cursor: string) => JSON.parse(Buffer.from(cursor, "base64url").toString()) as unknown[];
const write = (values: unknown) => Buffer.from(JSON.stringify(values)).toString("base64url");

/** The status, and the message of a refusal. */
async function answerTo(parameters: SearchParameters): Promise<[number, unknown]> {
  const { status, body } = await world.get(searchUrl(parameters));
  return [status, (body as { error?: string }).error];
}

const REFUSED = [422, expect.stringContaining(REFUSAL)];

describe("the cursor of a search", () => {
  test.each<SearchParameters>([
    { q: "tide" },
    { q: "tide", top: 7 },
    { q: "tied" },
    { q: "?!" },
    { q: "?!", top: 7 },
  ])("leads on behind the page that gave it: %o", async (parameters) => {
    const all = await search(world, parameters);
    expect(all.ids.length).toBeGreaterThan(2);
    const pages = await followNext(world, { ...parameters, per_page: 2 });
    expect(pages.flatMap(({ ids }) => ids)).toEqual(all.ids);
  });

  test("is refused by every other order, even where nothing could be found", async () => {
    const orders: SearchParameters[] = [{ q: "tide" }, { q: "tide", top: 7 }, {}, { top: 7 }];
    for (const from of orders) {
      const cursor = await cursorOf(from);
      for (const to of orders.filter((other) => other !== from))
        expect({ from, to, answer: await answerTo({ ...to, cursor }) }).toMatchObject({ answer: REFUSED });
      expect((await search(world, { ...from, cursor })).ids.length).toBeGreaterThan(0);
    }
    const cursor = await cursorOf({ top: 7 });
    expect(await answerTo({ q: "tide", tag: "unused", cursor })).toEqual(REFUSED);
    expect(await answerTo({ q: "nowhere", cursor })).toEqual(REFUSED);
  });

  test.each<SearchParameters>([{ q: "tide" }, { q: "tide", top: 7 }])(
    "is refused when it was tampered with: %o",
    async (parameters) => {
      const cursor = await cursorOf(parameters);
      const values = read(cursor);
      const spoilt = values.flatMap((_, index) =>
        [null, [], {}, "x", true, "2026-13-01T00:00:00.000Z", "\0"].map((value) =>
          write(values.with(index, value)),
        ),
      );
      const others = [
        cursor.slice(0, -3),
        cursor.slice(3),
        `${cursor}AAAA`,
        write([...values, 1]),
        write(values.slice(0, -1)),
        write(values.with(values.length - 1, 2 ** 31)),
        write(values.with(values.length - 1, 1.5)),
        write({}),
        write(null),
        "null",
        "-",
      ];
      for (const cursor of [...spoilt, ...others])
        expect({ cursor, answer: await answerTo({ ...parameters, cursor }) }).toMatchObject({
          answer: REFUSED,
        });
      expect(world.bugs).toEqual([]);
    },
  );
});
