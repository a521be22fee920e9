import { corpus, type CorpusOptions } from "../corpus.ts";

/** In how many articles of a corpus each word stands: in the title, the text or the tags. */
export function countWords(options: CorpusOptions): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of corpus(options)) {
    if (!line.startsWith('{"type":"article"')) continue;
    const { title, body_markdown, tags } = JSON.parse(line) as Article;
    const words = `${title} ${body_markdown} ${tags.join(" ")}`.toLowerCase().match(/[a-z]+/g);
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

interface Article {
  title: string;
  body_markdown: string;
  tags: string[];
}

/** A word of two letters or more also finds the words that it begins; one letter is no search worth measuring. */
const FEWEST_LETTERS = 2;

/**
 * The words that stand in `from` to `to` articles, including those articles that only hold a longer
 * word which begins with it, because the last word of a search matches beginnings.
 */
export function wordsIn(counts: ReadonlyMap<string, number>, from: number, to: number): string[] {
  const sorted = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.flatMap(([word, own], index) => {
    if (word.length < FEWEST_LETTERS || own < from) return [];
    let all = own;
    for (let next = index + 1; all <= to && sorted[next]?.[0].startsWith(word) === true; next += 1) {
      all += sorted[next]?.[1] ?? 0;
    }
    return all <= to ? [word] : [];
  });
}
