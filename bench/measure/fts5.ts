// A process of its own, to compare with: search by SQLite's FTS5 in memory, over HTTP, with summaries ready as bytes.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { corpus } from "../corpus.ts";

/** The corpus that a server has, and that server. */
export interface Fts5Order {
  articles: number;
  seed: number;
  baseUrl: string;
}

interface Article {
  type: string;
  slug: string;
  title: string;
  body_markdown: string;
  tags: string[];
}

process.on("message", (order: Fts5Order) => void start(order));

async function start({ baseUrl, ...options }: Fts5Order): Promise<void> {
  const summaries = await summariesBySlug(baseUrl);
  const database = new DatabaseSync(":memory:");
  // Its texts are of no use here: only the index is kept.
  database.exec("create virtual table articles using fts5 (title, tags, body, content='')");
  const insert = database.prepare("insert into articles (rowid, title, tags, body) values (?, ?, ?, ?)");
  const ready: Buffer[] = [];
  database.exec("begin");
  for (const line of corpus(options)) {
    const { type, slug, title, tags, body_markdown } = JSON.parse(line) as Article;
    const summary = summaries.get(slug);
    if (type !== "article" || summary === undefined) continue;
    ready.push(summary);
    insert.run(ready.length, title, tags.join(" "), body_markdown);
  }
  database.exec("commit; insert into articles (articles) values ('optimize')");
  if (ready.length < options.articles)
    throw new Error(`The site has ${ready.length} articles of the corpus, not ${options.articles}.`);
  process.send?.(await serve(database, ready));
}

async function serve(database: DatabaseSync, ready: readonly Buffer[]): Promise<number> {
  const find = database.prepare("select rowid from articles where articles match ? order by rank limit ?");
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://localhost");
    const words = (searchParams.get("q") ?? "").split(" ").map((word) => `"${word}"`);
    const found = find.all(words.join(` ${searchParams.get("join")} `), Number(searchParams.get("per_page")));
    const summaries = found.map(({ rowid }) => ready[Number(rowid) - 1] as Buffer);
    const body = Buffer.concat([
      Buffer.from("["),
      ...summaries.flatMap((summary, at) => (at === 0 ? [summary] : [Buffer.from(","), summary])),
      Buffer.from("]"),
    ]);
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

const PER_PAGE = 1_000;

async function summariesBySlug(baseUrl: string): Promise<Map<string, Buffer>> {
  const summaries = new Map<string, Buffer>();
  for (let page = 1; ; page += 1) {
    const answer = await fetch(`${baseUrl}/api/articles/latest?per_page=${PER_PAGE}&page=${page}`);
    const list = (await answer.json()) as { slug: string }[];
    for (const summary of list) summaries.set(summary.slug, Buffer.from(JSON.stringify(summary)));
    if (list.length < PER_PAGE) return summaries;
  }
}
