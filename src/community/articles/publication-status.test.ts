import { expect, test } from "vitest";
import { isTemporary, save, slugsFor, type PublicationStatus, unpublish } from "./publication-status.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const LATER = new Date("2026-04-01T12:00:00Z");
const BEFORE = new Date("2026-01-01T12:00:00Z");

const ALLOWED = { unpublish_reason: null };
const draft: PublicationStatus = { state: "draft", published_at: null, ...ALLOWED };
const scheduled: PublicationStatus = { state: "scheduled", published_at: LATER, ...ALLOWED };
const due: PublicationStatus = { state: "scheduled", published_at: BEFORE, ...ALLOWED };
const published: PublicationStatus = { state: "published", published_at: BEFORE, ...ALLOWED };
const unpublished: PublicationStatus = { state: "unpublished", published_at: BEFORE, ...ALLOWED };

const surroundings = { now: NOW, warn: () => {}, isOwn: true, isAdmin: false };

test.each([
  ["a new article", undefined, {}, draft],
  ["a draft", draft, {}, draft],
  ["a draft that is published", draft, { published: true }, { ...published, published_at: NOW }],
  [
    "a draft that is scheduled",
    draft,
    { published: true, date: { moment: LATER, by: "attribute" } },
    scheduled,
  ],
  ["a draft with a date alone", draft, { date: { moment: LATER, by: "attribute" } }, draft],
  ["a scheduled one", scheduled, {}, scheduled],
  ["a scheduled one that is cancelled", scheduled, { published: false }, draft],
  [
    "a scheduled one that is to be out now",
    scheduled,
    { date: { moment: NOW, by: "attribute" } },
    { ...published, published_at: NOW },
  ],
  ["one whose minute has come", due, {}, published],
  ["one whose minute has come and that is hidden", due, { published: false }, unpublished],
  ["a published one", published, {}, published],
  ["a published one that is hidden", published, { published: false }, unpublished],
  ["an unpublished one", unpublished, {}, unpublished],
  ["an unpublished one that is published again", unpublished, { published: true }, published],
  [
    "an unpublished one with another date",
    unpublished,
    { published: true, date: { moment: LATER, by: "attribute" } },
    published,
  ],
] as const)("saving %s", (_what, before, wanted, after) => {
  expect(save(before, wanted, surroundings)).toEqual(after);
});

test.each([
  ["a draft", draft, draft],
  ["a scheduled one", scheduled, draft],
  ["one whose minute has come", due, unpublished],
  ["a published one", published, unpublished],
  ["an unpublished one", unpublished, unpublished],
])("taking back %s", (_what, before, after) => {
  expect(unpublish(before, null, NOW)).toEqual(after);
});

test("when the short slugs of a title are taken, longer ones are tried", () => {
  const [slugs, drafts] = [slugsFor("published", "A title"), slugsFor("draft", "A title")];
  const tried = Array.from({ length: 10 }, () => slugs.next().value);
  expect(tried.slice(0, 8).filter((slug) => !/^a-title-[0-9a-p]{1,4}$/.test(slug))).toEqual([]);
  expect(tried.slice(8).filter((slug) => !/^a-title-[0-9a-p]{1,4}-[0-9a-p]+$/.test(slug))).toEqual([]);
  expect(Array.from({ length: 10 }, () => drafts.next().value).every(isTemporary)).toBe(true);
});
