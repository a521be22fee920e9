import { randomInt } from "node:crypto";
import { base26, dash } from "../text/slug.ts";
import { isReserved } from "../users/names.ts";

/** Names for something, the nicest first. */
function* numbered(stem: string): Generator<string> {
  yield stem;
  for (let number = 2; ; number++) yield `${stem}-${number}`;
}

/** A name for an episode that none of these has; it is taken from then on. */
export function episodeSlug(title: string, taken: Set<string>): string {
  for (const slug of numbered(dash(title) || "episode")) {
    if (taken.has(slug)) continue;
    taken.add(slug);
    return slug;
  }
  throw new Error("There are numbers without end.");
}

/** The names that a podcast of this title may have, the nicest first, until one is free. */
export function* podcastSlugs(title: string): Generator<string> {
  const stem = dash(title).slice(0, 80).replace(/-+$/, "");
  if (canStand(stem)) yield stem;
  // Titles of other scripts leave nothing, and would all count up one name.
  yield* numbered(stem === "" ? `podcast-${base26(randomInt(2 ** 32))}` : `${stem}-podcast`);
}

/** A number, or a word that addresses begin with, can be nobody's name. */
function canStand(slug: string): boolean {
  return slug.length >= 2 && !/^\d+$/.test(slug) && !isReserved(slug.replaceAll("-", "_"));
}
