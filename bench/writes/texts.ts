import { cut, writeBody } from "../corpus/markdown.ts";
import { tagNames } from "../corpus/people.ts";
import { createRandom } from "../corpus/random.ts";
import { createWriter, makeVocabulary } from "../corpus/words.ts";

/** The texts of a new article. */
export interface Text {
  title: string;
  body_markdown: string;
  tags: string[];
}

const SEED = 1;
const BODY_BYTES = 2_400;
const TAGS = 4;
const MOST_USED_TAGS = 40;

export interface Texts {
  next(): Text;
  /** Makes texts ahead, so that a measurement doesn't include it. */
  stock(count: number): void;
}

/** Articles of 2.4 KB with four tags each. All titles are different. */
export function createTexts(): Texts {
  const random = createRandom(SEED);
  const vocabulary = makeVocabulary(SEED);
  const word = createWriter(random, vocabulary);
  const names = tagNames(10_000, vocabulary).slice(0, MOST_USED_TAGS);
  const stocked: Text[] = [];
  let count = 0;
  const make = (): Text => {
    const tags = new Set<string>();
    while (tags.size < TAGS) tags.add(random.pick(names));
    count += 1;
    const body_markdown = cut(writeBody({ random, word }, []), BODY_BYTES);
    return { title: `${word()} ${word()} ${count}`, body_markdown, tags: [...tags] };
  };
  return {
    next: () => stocked.pop() ?? make(),
    stock(wanted) {
      while (stocked.length < wanted) stocked.push(make());
    },
  };
}
