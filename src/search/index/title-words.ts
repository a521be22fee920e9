import { type ArticleIndex, IN_TITLE } from "./article-index.ts";
import { comparePlaces } from "./popularity.ts";
import { type Term, terms } from "./tokens.ts";

/** The ids of the most popular articles whose titles have all words of a text, the last one as a beginning. */
export function titledWith(index: ArticleIndex, text: string, most: number): number[] {
  const words = [...terms(text)].flatMap(tokensOf);
  let found: ReadonlySet<number> | undefined;
  for (const [at, word] of words.entries()) {
    const longer = at === words.length - 1 ? index.tokens.longerThan(word) : [];
    const numbers = [index.tokens.find(word), ...longer];
    found = new Set(
      numbers.flatMap((number) => (number === undefined ? [] : withTitle(index, number, found))),
    );
  }
  return [...(found ?? [])]
    .map((slot) => index.placeOf(slot))
    .toSorted(comparePlaces)
    .slice(0, most)
    .map(({ article_id }) => article_id);
}

/** Pairs of characters of a script without spaces, and the last one as the beginning of a pair. */
function tokensOf(term: Term): string[] {
  if (!("run" in term)) return term.words.map(({ text }) => text);
  return term.run.map((character, at) => character + (term.run[at + 1] ?? ""));
}

function withTitle(index: ArticleIndex, number: number, among?: ReadonlySet<number>): number[] {
  const { count, slots, impacts } = index.postings(number);
  const found: number[] = [];
  for (let at = 0; at < count; at++) {
    const slot = slots[at] as number;
    const isInTitle = ((impacts[at] as number) & IN_TITLE) !== 0 && index.isAlive[slot] === 1;
    if (isInTitle && among?.has(slot) !== false) found.push(slot);
  }
  return found;
}
