import { writeBody } from "../corpus/markdown.ts";
import { tagNames } from "../corpus/people.ts";
import { createRandom } from "../corpus/random.ts";
import { createWriter, makeVocabulary } from "../corpus/words.ts";

/** The texts of a new article. */
export interface Text {
  title: string;
  body_markdown: string;
  tags: string[];
  published: true;
}

const SEED = 1;
const LEAST_WORDS = 900;
const TAGS = 4;
const MOST_USED_TAGS = 40;

/** Articles of about 1,000 words with four tags each. All titles are different. */
export function createTexts(): () => Text {
  const random = createRandom(SEED);
  const vocabulary = makeVocabulary(SEED);
  const word = createWriter(random, vocabulary);
  const names = tagNames(10_000, vocabulary).slice(0, MOST_USED_TAGS);
  let count = 0;
  return () => {
    let body = "";
    while (body.split(/\s+/).length < LEAST_WORDS) body = writeBody({ random, word }, []);
    const tags = new Set<string>();
    while (tags.size < TAGS) tags.add(random.pick(names));
    count += 1;
    return { title: `${word()} ${word()} ${count}`, body_markdown: body, tags: [...tags], published: true };
  };
}
