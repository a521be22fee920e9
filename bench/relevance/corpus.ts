import { createReadStream } from "node:fs";
import { readLines } from "../../src/operate/community-file/lines.ts";

/** A published article of a community file, as far as searching for it goes. */
export interface Article {
  slug: string;
  title: string;
  author: string;
  /** Title, description and body as readers see them. */
  text: string;
  titleWords: ReadonlySet<string>;
}

export interface Corpus {
  articles: Article[];
  /** Which articles have the word in their title. */
  byTitleWord: ReadonlyMap<string, readonly Article[]>;
  /** All texts with one space between words and around, to look for phrases. */
  phrases: readonly string[];
  /** Every word that stands anywhere, in their order, so that beginnings are found as well. */
  words: readonly string[];
}

interface CorpusRecord {
  type: string;
  slug?: string;
  username?: string;
  name?: string;
  author?: string;
  title?: string;
  description?: string;
  body_markdown?: string;
  tags?: string[];
  published?: boolean;
  published_at?: string;
}

export async function readCorpus(file: string): Promise<Corpus> {
  const names = new Map<string, string>();
  const articles: Article[] = [];
  const all = new Set<string>();
  const phrases: string[] = [];
  // `readline` would also split at U+2028, which JSON allows in a text.
  for await (const read of readLines(createReadStream(file))) {
    if ("fault" in read) throw new Error(`${file}, line ${read.number}: ${read.fault}`);
    const line = read.bytes.toString();
    if (line.trim() === "") continue;
    const record = JSON.parse(line) as CorpusRecord;
    if (record.type === "user") names.set(record.username ?? "", record.name ?? record.username ?? "");
    for (const word of words(wholeOf(record))) all.add(word);
    const article = record.type === "article" ? readArticle(record, names) : undefined;
    if (!article) continue;
    articles.push(article);
    phrases.push(normalise(wholeOf(record)));
  }
  return { articles, byTitleWord: indexTitles(articles), phrases, words: [...all].toSorted() };
}

function wholeOf({ name, title, description, body_markdown, tags = [] }: CorpusRecord): string {
  return [name, title, description, body_markdown, ...tags].filter((text) => text !== undefined).join("\n");
}

function readArticle(record: CorpusRecord, names: ReadonlyMap<string, string>): Article | undefined {
  const { slug, title, author = "", description = "", body_markdown: body = "" } = record;
  const isPublished = record.published !== false && Date.parse(record.published_at ?? "") <= Date.now();
  if (slug === undefined || title === undefined || !isPublished) return undefined;
  return {
    slug,
    title,
    author: names.get(author) ?? author,
    text: [title, description, visible(body)].join("\n"),
    titleWords: new Set(words(title)),
  };
}

function indexTitles(articles: readonly Article[]): Map<string, Article[]> {
  const index = new Map<string, Article[]>();
  for (const article of articles)
    for (const word of article.titleWords) {
      const having = index.get(word);
      if (having) having.push(article);
      else index.set(word, [article]);
    }
  return index;
}

/** Whether some word of the corpus is this one or begins with it. */
export function hasBeginning({ words }: Corpus, beginning: string): boolean {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((words[middle] as string) < beginning) low = middle + 1;
    else high = middle;
  }
  return words[low]?.startsWith(beginning) ?? false;
}

/** The words of a text in lower case: what judges of relevance compare, whatever a search engine makes of it. */
export function words(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  );
}

/** The words with one space between and around. */
export function normalise(text: string): string {
  return ` ${words(text).join(" ")} `;
}

/** Markdown without its blocks of code. */
export function prose(markdown: string): string {
  return markdown.replaceAll(/^(```|~~~)[^]*?^\1/gm, "\n");
}

/** Markdown without what no reader sees: where links go, tags, comments. */
function visible(markdown: string): string {
  return markdown
    .replaceAll(/<!--[^]*?-->|<[^>\n]*>/g, " ")
    .replaceAll(/\]\([^)\s]*[^)]*\)|^\[[^\]]*\]:.*$/gm, "] ")
    .replaceAll(/https?:\/\/\S+/g, " ");
}
