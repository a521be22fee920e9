import fc from "fast-check";
import { expect, test } from "vitest";
import { Arena } from "./arena.ts";
import { PostingLists } from "./posting-lists.ts";

/** Which lists get the next article, and how far it is behind the last one: entries of two to five bytes. */
const steps = fc.array(
  fc.tuple(fc.array(fc.nat(3), { maxLength: 4 }), fc.constantFrom(1, 2, 100, 128, 20_000, 3_000_000)),
  { maxLength: 400 },
);

test("a list may be longer than a chunk of memory", () => {
  const lists = new PostingLists(new Arena());
  for (let slot = 0; slot < 200_000; slot++) lists.append(slot % 2, slot, slot % 256);
  expect(lists.read(1)).toBe(100_000);
  expect([lists.slots[99_999], lists.impacts[99_999]]).toEqual([199_999, 199_999 % 256]);
  expect(lists.slots.subarray(0, 100_000).every((slot, at) => slot === 2 * at + 1)).toBe(true);
});

test("each list gives what was added to it, however large the lists grow beside each other", () => {
  fc.assert(
    fc.property(steps, fc.nat(100), (given, ofEach) => {
      const lists = new PostingLists(new Arena());
      const expected = new Map<number, [slot: number, impact: number][]>();
      let slot = 0;
      for (const [chosen, step] of given) {
        for (let times = 0; times <= ofEach; times++) {
          slot += step;
          if (slot > 2 ** 31 - 2) break;
          for (const list of new Set(chosen)) {
            lists.append(list, slot, slot % 256);
            expected.set(list, [...(expected.get(list) ?? []), [slot, slot % 256]]);
          }
        }
      }
      for (const [list, entries] of expected) {
        const count = lists.read(list);
        const found = Array.from({ length: count }, (_, at) => [lists.slots[at], lists.impacts[at]]);
        expect(found).toEqual(entries);
      }
      expect(lists.read(5)).toBe(0);
    }),
    { numRuns: 50 },
  );
});
