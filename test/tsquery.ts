import { type Condition, join, type Phrase, writeLoose } from "../src/search-index/terms.ts";

/** A condition as a tsquery, with the distances of its words. */
export function writeExact(condition: Condition): string {
  return join(condition.map(writePhrase), " | ");
}

/** The part of an exclusion that an index answers: without phrases. Undefined for none. */
export function writeLooseExclusion(condition: Condition): string | undefined {
  const words = condition.filter((phrase) => phrase.length === 1);
  return words.length === 0 ? undefined : `!${writeExact(words)}`;
}

function writePhrase(phrase: Phrase): string {
  let written = "";
  let distance = 0;
  for (const place of phrase) {
    if (place.length > 0) {
      written += (written === "" ? "" : ` <${distance}> `) + writeLoose([[place]]);
      distance = 0;
    }
    distance++;
  }
  return phrase.length === 1 ? written : `(${written})`;
}
