import { describe, expect, test } from "vitest";
import { cutPage, cutThreads } from "./tree.ts";

/** A thread for every number, which says how many comments it has. */
const threads = (...sizes: number[]) =>
  sizes.flatMap((size, index) => Array.from({ length: size }, () => ({ root_id: index + 1 })));
const sizesOf = (rows: readonly { root_id: number }[]) =>
  [...new Set(rows.map(({ root_id }) => root_id))].map(
    (root) => rows.filter(({ root_id }) => root_id === root).length,
  );

describe("threads that are read for an answer of ten comments", () => {
  test.each([
    ["none", [], []],
    ["one that fits", [3], [3]],
    ["ten comments", [6, 3, 1], [6, 3, 1]],
    ["the last of them too long", [6, 3, 2], [6, 3]],
    ["the last one broken off", [6, 5], [6]],
    ["one that is too long", [11], [10]],
  ])("are kept whole as far as they fit: %s", (_name, sizes, kept) => {
    expect(sizesOf(cutThreads(threads(...sizes), 10))).toEqual(kept);
  });

  test.each([
    [{ page: 1, per_page: 4 }, [2, 2, 2, 2], [2, 2, 2, 2], { page: 2, per_page: 4 }],
    [{ page: 3, per_page: 4 }, [2, 2], [2, 2], { page: 4, per_page: 4 }],
    // Two of four: threads 9 and 10 are given, 11 begins the sixth page of two.
    [{ page: 3, per_page: 4 }, [4, 4, 3], [4, 4], { page: 6, per_page: 2 }],
    // Five would fit of six, but six is three times two.
    [{ page: 1, per_page: 6 }, [2, 2, 2, 2, 2, 1], [2, 2, 2], { page: 2, per_page: 3 }],
    [{ page: 2, per_page: 1000 }, [1, 1, 1, 8], [1, 1], { page: 502, per_page: 2 }],
    // A prime number of threads has no smaller pages but of one.
    [{ page: 2, per_page: 7 }, [5, 6], [5], { page: 9, per_page: 1 }],
    [{ page: 2, per_page: 7 }, [11], [10], { page: 9, per_page: 1 }],
    [{ page: 5, per_page: 1 }, [11], [10], { page: 6, per_page: 1 }],
  ])("%o with threads of %j", (asked, sizes, kept, next) => {
    const page = cutPage(threads(...sizes), asked, 10);
    expect([sizesOf(page.rows), page.next]).toEqual([kept, next]);
  });
});
