import { rowTokens, type Token } from "./row-tokens.ts";
import type { SearchLanguage } from "./stems.ts";

/** What an article is found by. */
export interface Searchable {
  title: string;
  tags: readonly string[];
  /** Of the author and the organization. */
  names: readonly string[];
  description: string;
  body: string;
}

/** The same in tokens, field by field. */
export interface ArticleTokens {
  title: Token[];
  /** Tags and names, one by one. */
  labels: Token[][];
  description: Token[];
  body: Token[];
}

/** Takes an article apart, once for everything that is made of its words. */
export function tokensOf(
  { title, tags, names, description, body }: Searchable,
  language: SearchLanguage,
): ArticleTokens {
  const read = (text: string) => rowTokens(text, language);
  return {
    title: read(title),
    labels: [...tags, ...names].map(read),
    description: read(description),
    body: read(body),
  };
}
