import { openDatabase } from "../measure/database.ts";
import { type Sender, createSender } from "../measure/http.ts";
import { OURS, type Program, type Serving, command, serve } from "../measure/program.ts";
import { type Text, type Texts, createTexts } from "./texts.ts";
import type pg from "pg";

/** A running site that is written to. */
export interface Site {
  serving: Serving;
  database: pg.Client;
  /** One for each connection, because no person writes two articles at once, and one more. */
  authors: Author[];
  connections: number;
  send: Sender["send"];
  texts: Texts;
  close(): Promise<void>;
}

export async function openSite(dataDir: string, connections: number, program = OURS): Promise<Site> {
  const serving = await serve(dataDir, { program });
  const database = await openDatabase(dataDir);
  const sender = createSender(serving.baseUrl);
  const close = async () => {
    sender.close();
    await database.end();
    await serving.stop();
  };
  try {
    await requireDurability(database);
    const authors = await makeAuthors(dataDir, connections + 1, program);
    return { serving, database, authors, connections, send: sender.send, texts: createTexts(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Writes that aren't on the disk are no writes. */
async function requireDurability(database: pg.Client): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    "select name from pg_settings where name in ('fsync', 'synchronous_commit') and setting = 'off'",
  );
  if (rows.length > 0) throw new Error(`${rows.map(({ name }) => name).join(" and ")} must be on.`);
}

/** Creates an article of one of the authors over HTTP, and gives its number. */
export async function create(site: Site, place: number, more: Partial<Text> & { published?: boolean } = {}) {
  const { key } = site.authors[place] as Author;
  const article = { ...site.texts.next(), published: true, ...more };
  return (await site.send("POST", "/api/articles", key, { article })).id;
}

/** Gives an article another text. */
export async function update(site: Site, place: number, id: number): Promise<void> {
  const { key } = site.authors[place] as Author;
  const { body_markdown } = site.texts.next();
  await site.send("PUT", `/api/articles/${id}`, key, { article: { body_markdown } });
}

/** A writer with a key. */
export interface Author {
  username: string;
  key: string;
}

/** Makes them by commands, which work on the database of any version of the program. */
async function makeAuthors(dataDir: string, count: number, program: Program): Promise<Author[]> {
  const authors: Author[] = [];
  for (let number = 0; number < count; number += 1) {
    const username = `writer_${number}`;
    await command(dataDir, ["user", "create", "--username", username, "--name", `Writer ${number}`], program);
    const { out } = await command(
      dataDir,
      ["key", "create", "--user", username, "--description", "Bench"],
      program,
    );
    authors.push({ username, key: out.trim() });
  }
  return authors;
}
