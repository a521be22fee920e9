// A process of its own, to compare with: search by SQLite's FTS5 in memory, over HTTP, with summaries ready as bytes.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { corpus } from "../corpus.ts";
import { newestArticles } from "./http.ts";

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
  const list = await newestArticles(baseUrl, options.articles);
  const summaries = new Map(list.map((summary) => [summary.slug, Buffer.from(JSON.stringify(summary))]));
  const database = new DatabaseSync(":memory:");
  // Its texts are of no use here: only the index is kept.
  database.exec("create virtual table articles using fts5 (title, tags, body, content=''); begin");
  const insert = database.prepare("insert into articles (rowid, title, tags, body) values (?, ?, ?, ?)");
  const ready: Buffer[] = [];
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
  serve(database, ready);
}

function serve(database: DatabaseSync, ready: readonly Buffer[]): void {
  const find = database.prepare("select rowid from articles where articles match ? order by rank limit ?");
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://localhost");
    const words = (searchParams.get("q") ?? "").split(" ").map((word) => `"${word}"`);
    const found = find.all(words.join(` ${searchParams.get("join")} `), Number(searchParams.get("per_page")));
    const parts = found.flatMap(({ rowid }) => [Buffer.from(","), ready[Number(rowid) - 1] as Buffer]);
    const body = Buffer.concat([Buffer.from("["), ...parts.slice(1), Buffer.from("]")]);
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
}
