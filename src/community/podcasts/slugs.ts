import { randomInt } from "node:crypto";
import { base26, dash } from "../../content/text/slug.ts";
import { RESERVED } from "../users/names.ts";

function* numbered(stem: string): Generator<string> {
  yield stem;
  for (let number = 2; ; number++) yield `${stem}-${number}`;
}

/** A slug that isn't taken, which it adds to `taken`. */
export function episodeSlug(title: string, taken: Set<string>): string {
  for (const slug of numbered(dash(title) || "episode")) {
    if (taken.has(slug)) continue;
    taken.add(slug);
    return slug;
  }
  throw new Error("There are numbers without end.");
}

/** Slugs for a podcast, the nicest first. */
export function* podcastSlugs(title: string): Generator<string> {
  const stem = dash(title).slice(0, 80).replace(/-+$/, "");
  if (canStand(stem)) yield stem;
  // Titles in other scripts leave nothing, and would share one stem.
  yield* numbered(stem === "" ? `podcast-${base26(randomInt(2 ** 32))}` : `${stem}-podcast`);
}

function canStand(slug: string): boolean {
  return slug.length >= 2 && !/^\d+$/.test(slug) && !RESERVED.has(slug.replaceAll("-", "_"));
}
