import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** A public test collection: texts, questions, and which texts answer each question. */
export interface Collection {
  name: string;
  /** ISO 639-1. */
  language: string;
  docs: { id: string; title: string; text: string }[];
  queries: { id: string; text: string }[];
  /** The grade of each text that was judged, by question; above 0 it answers it. */
  qrels: Record<string, Record<string, number>>;
}

/** A question and the numbers of the texts that answer it. */
export interface Question {
  q: string;
  answers: ReadonlySet<number>;
}

/** Reads `{ name, language, docs, queries, qrels }` from a file of JSON, compressed by gzip if its name ends in .gz. */
export async function readCollection(file: string): Promise<Collection> {
  const bytes = await readFile(file);
  const json = file.endsWith(".gz") ? await promisify(gunzip)(bytes) : bytes;
  const { name, language, docs, queries, qrels } = JSON.parse(json.toString()) as Partial<Collection>;
  if (!name || !language || !docs || !queries || !qrels)
    throw new Error(`${file} must have name, language, docs, queries and qrels.`);
  return { name, language, docs, queries, qrels };
}

/** The questions that some text answers. */
export function questionsOf({ docs, queries, qrels }: Collection): Question[] {
  const numbers = new Map(docs.map(({ id }, at) => [id, at]));
  const questions = queries.map(({ id, text }) => {
    const right = Object.entries(qrels[id] ?? {}).filter(([, grade]) => grade > 0);
    return { q: text, answers: new Set(right.flatMap(([doc]) => numbers.get(doc) ?? [])) };
  });
  return questions.filter(({ answers }) => answers.size > 0);
}

const MAX_TITLE = 250;
const TEN_YEARS_MS = 10 * 365 * 86_400_000;
/** The end of the ten years over which the dates are spread: the same on every day. */
const NEWEST = Date.parse("2026-01-01T00:00:00Z");

/** The slug of the text with this number. */
const slugOf = (at: number): string => `text-${at}`;
export const numberOf = (slug: string): number => Number(slug.slice("text-".length));

/** The texts as lines of a community file. */
export function* toCommunityFile({ docs }: Collection): Generator<string> {
  yield `${JSON.stringify({ type: "user", username: "collection", name: "Collection" })}\n`;
  for (const [at, { title, text }] of docs.entries()) {
    const published = new Date(NEWEST - (TEN_YEARS_MS * at) / docs.length).toISOString();
    yield `${JSON.stringify({
      type: "article",
      slug: slugOf(at),
      author: "collection",
      title: titleOf(title, text),
      body_markdown: plain(text),
      published_at: published,
      created_at: published,
    })}\n`;
  }
}

/** Where a text has no title, its first sentence is one. */
export function titleOf(title: string, text: string): string {
  const given = title.trim() || (/^.*?(?:[.!?](?=\s)|[。！？]|$)/su.exec(text.trim())?.[0] ?? "");
  return Array.from(given.replaceAll(/\s+/gu, " ")).slice(0, MAX_TITLE).join("").trim() || "Untitled";
}

/** Markdown that shows the text as it is. */
function plain(text: string): string {
  return text.replaceAll(/[!-/:-@[-`{-~]/gu, String.raw`\$&`).replaceAll(/^[ \t]+/gm, "");
}
