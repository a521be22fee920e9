import { rm, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { command } from "../measure/program.ts";
import type { Site } from "./site.ts";

/** Seconds until a new article is found, the most that was seen. */
export interface PublicationDelays {
  /** From the end of an import by another process. */
  imported: number;
  /** From the date an article was scheduled for. */
  scheduled: number;
}

/** The limit until a search finds a new article. */
export const PUBLICATION_LIMIT_S = 1;

const TIMES = 3;

/** Longer than the import of one article takes. */
const AHEAD_MS = 5_000;

const PATIENCE_MS = 30_000;
const POLL_MS = 20;

/** Publishes articles of its own on a running site, which keeps them; each has a word that no other has. */
export async function timePublication(site: Site): Promise<PublicationDelays> {
  const delays = { imported: 0, scheduled: 0 };
  for (let count = 0; count < TIMES; count += 1) {
    const now = await importOne(site, new Date());
    delays.imported = Math.max(delays.imported, await untilFound(site, now, Date.now()));
    const due = new Date(Date.now() + AHEAD_MS);
    const later = await importOne(site, due);
    delays.scheduled = Math.max(delays.scheduled, await untilFound(site, later, due.getTime()));
  }
  return delays;
}

/** Imports an article beside the running server and gives its word. */
async function importOne({ author, dataDir }: Site, date: Date): Promise<string> {
  const word = `fresh${date.getTime().toString(36)}`;
  const record = {
    type: "article",
    slug: word,
    author,
    title: `Hot from the press ${word}`,
    body_markdown: "News.",
    published: true,
    published_at: date.toISOString(),
  };
  const file = `${dataDir}-${word}.ndjson`;
  try {
    await writeFile(file, JSON.stringify(record));
    await command(dataDir, ["import", file]);
  } finally {
    await rm(file, { force: true });
  }
  return word;
}

/** Repeats one request, as a waiting client does; cached answers count. */
async function untilFound({ baseUrl }: Site, word: string, since: number): Promise<number> {
  while (Date.now() < since + PATIENCE_MS) {
    const answer = await fetch(`${baseUrl}/api/articles/search?q=${word}`);
    if ((await answer.text()) !== "[]") return Math.max(0, (Date.now() - since) / 1000);
    await sleep(POLL_MS);
  }
  return Infinity;
}
