// A process of its own, since only a newer Node.js has SQLite: answers questions by FTS5, of which any word counts.
import { DatabaseSync } from "node:sqlite";
import { DEEPEST } from "../relevance/measures.ts";
import type { PeerOrder } from "../relevance/peers.ts";

process.on("message", (order: PeerOrder) => process.send?.(answer(order)));

function answer({ docs, queries }: PeerOrder): number[][] {
  const database = new DatabaseSync(":memory:");
  database.exec("create virtual table docs using fts5 (title, text, tokenize = 'porter unicode61'); begin");
  const insert = database.prepare("insert into docs (rowid, title, text) values (?, ?, ?)");
  for (const [at, { title, text }] of docs.entries()) insert.run(at + 1, title, text);
  database.exec("commit");
  const find = database.prepare(
    `select rowid from docs where docs match ? order by bm25(docs, 4, 1) limit ${DEEPEST}`,
  );
  return queries.map((q) => {
    const words = q.match(/[\p{L}\p{N}\p{M}]+/gu)?.map((word) => `"${word}"`);
    return words ? find.all(words.join(" OR ")).map(({ rowid }) => Number(rowid) - 1) : [];
  });
}
