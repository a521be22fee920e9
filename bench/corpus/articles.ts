import { cut, type Pen, writeBody, writeWords } from "./markdown.ts";
import type { People } from "./people.ts";
import type { Random } from "./random.ts";
import { capitalise } from "./words.ts";

interface Options {
  number: number;
  pen: Pen;
  people: People;
  planted: readonly string[];
  mostBytes: number;
  publishedAt: string;
}

/** The record of one article. */
export function writeArticle(options: Options): object {
  const { number, pen, people, planted, mostBytes, publishedAt } = options;
  const words = writeWords(pen, pen.random.between(4, 9));
  return {
    type: "article",
    slug: `${words.replaceAll(" ", "-")}-${number}`,
    ...people.author(),
    title: capitalise(words),
    body_markdown: cut(writeBody(pen, planted), mostBytes),
    tags: people.tags(),
    published_at: publishedAt,
    imported_reactions_count: reactions(pen.random),
  };
}

const MOST_REACTIONS = 5_000;

/** Half of the articles have next to none, one in a thousand has hundreds. */
function reactions(random: Random): number {
  return Math.min(MOST_REACTIONS, Math.floor(1 / (1 - random.next())) - 1);
}
