import type pg from "pg";
import { serve, type Serving } from "../measure/program.ts";
import { createSender, type Sent } from "./over-http.ts";
import { type Author, makeAuthors, openForWriting } from "./people.ts";
import { createTexts, type Text, type Texts } from "./texts.ts";

/** A running site that is written to. */
export interface Site {
  serving: Serving;
  pool: pg.Pool;
  /** One for each connection, because no person writes two articles at once, and one more. */
  authors: Author[];
  connections: number;
  send(sent: Sent): Promise<Buffer>;
  texts: Texts;
  close(): Promise<void>;
}

export async function openSite(dataDir: string, connections: number): Promise<Site> {
  const serving = await serve(dataDir);
  const connection = openForWriting(dataDir, connections);
  const sender = createSender(serving.baseUrl);
  const close = async () => {
    sender.close();
    await connection.db.destroy();
    await serving.stop();
  };
  try {
    await requireDurability(connection.pool);
    const authors = await makeAuthors(connection, connections + 1);
    const { pool } = connection;
    return { serving, pool, authors, connections, send: sender.send, texts: createTexts(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Writes that aren't on the disk are no writes. */
async function requireDurability(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    "select name from pg_settings where name in ('fsync', 'synchronous_commit') and setting = 'off'",
  );
  if (rows.length > 0) throw new Error(`${rows.map(({ name }) => name).join(" and ")} must be on.`);
}

/** Creates an article of one of the authors over HTTP, and gives its number. */
export async function create(site: Site, place: number, more: Partial<Text> & { published?: boolean } = {}) {
  const { key } = site.authors[place] as Author;
  const article = { ...site.texts.next(), published: true, ...more };
  const answer = await site.send({ method: "POST", path: "/api/articles", key, body: { article } });
  return (JSON.parse(String(answer)) as { id: number }).id;
}

/** Gives an article another text. */
export async function update(site: Site, place: number, id: number): Promise<void> {
  const { key } = site.authors[place] as Author;
  const { body_markdown } = site.texts.next();
  await site.send({ method: "PUT", path: `/api/articles/${id}`, key, body: { article: { body_markdown } } });
}
