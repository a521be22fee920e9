import { expect, test } from "vitest";
import { fingerprint } from "./fingerprints.ts";

const item = (number: number) => ({
  guid: `${number}`,
  title: `Post ${number}`,
  html: "<p>Warp and weft</p>",
  categories: [],
});

test("others have their turn while the items of a large feed are fingerprinted", async () => {
  let turns = 0;
  let isMarking = true;
  const count = () => {
    turns += 1;
    if (isMarking) setImmediate(count);
  };
  setImmediate(count);
  const marked = await fingerprint(
    Array.from({ length: 1_000 }, (_, number) => item(number)),
    undefined,
  );
  isMarking = false;
  expect(marked).toHaveLength(1_000);
  expect(turns).toBeGreaterThan(50);
});

test("of a book only the beginning is looked at", async () => {
  const book = "Warp and weft. ".repeat(1_000);
  const [one, other] = await fingerprint(
    [book, `${book} The end`].map((html) => ({ title: "Book", html, categories: [] })),
    undefined,
  );
  expect(one?.marks).toEqual(other?.marks);
});
