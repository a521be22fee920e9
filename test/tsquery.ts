import { type Condition, join, writeExact, writePlace } from "../src/search-index/terms.ts";

/** The part of a condition that does not ask where words stand: all words of a phrase, in any place. */
export function writeLoose(condition: Condition): string {
  const alternatives = condition.map((phrase) => {
    const places = phrase.filter((place) => place.length > 0).map(writePlace);
    return join([...new Set(places)], " & ");
  });
  return join(alternatives, " | ");
}

/** The part of an exclusion that an index answers: without phrases. Undefined for none. */
export function writeLooseExclusion(condition: Condition): string | undefined {
  const words = condition.filter((phrase) => phrase.length === 1);
  return words.length === 0 ? undefined : `!${writeExact(words)}`;
}
