import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import * as settings from "../settings/settings.ts";
import { searchVersion } from "../text/search-text.ts";
import { toSentence } from "./failures.ts";
import type { Finding } from "./finding.ts";
import { hasExtension, requireTrigrams } from "./prepare-database.ts";

type Found = Omit<Finding, "check">;

/** Whether pg_trgm is there or could be created, which is tried and taken back; and whether it knows letters. */
export async function checkExtension(db: Db): Promise<Found> {
  const trial = await db.startTransaction().execute();
  try {
    const isThere = await hasExtension(trial, "pg_trgm");
    await requireTrigrams(trial);
    const letters = await checkLetters(trial);
    if (isThere || letters.result !== "ok") return letters;
    return { result: "warn", message: "pg_trgm isn't there yet: `inkstone migrate` creates it." };
  } catch (error) {
    return { result: "fail", message: toSentence(error) };
  } finally {
    await trial.rollback().execute();
  }
}

/** Whether pg_trgm, which must be there, takes letters outside ASCII for letters: the locale decides. */
export async function checkLetters(db: Db): Promise<Found> {
  const { rows } = await sql<{ known: boolean }>`select show_trgm('é') <> '{}' as known`.execute(db);
  if (rows[0]?.known)
    return { result: "ok", message: "pg_trgm is there and knows the letters of all scripts." };
  return {
    result: "warn",
    message:
      "Misspelt words in scripts such as Cyrillic or Greek aren't corrected, because the database's locale doesn't know their letters: move to a database made with `createdb --encoding=UTF8 --locale=C.UTF-8 --template=template0`, or with another UTF-8 locale.",
  };
}

/** How many articles search knows, and how many of them by older rules than this program's. */
export async function checkSearch(db: Db): Promise<Found> {
  const { search_language: language } = await settings.read(db);
  const version = searchVersion(language);
  // Two comparisons can use the index on the version, while <> can't.
  const { rows } = await sql<{ published: number; waiting: number }>`
    select
      (select count(*)::int from published_articles) as published,
      (select count(*)::int from article_search
        where search_version < ${version} or search_version > ${version}) as waiting`.execute(db);
  const { published = 0, waiting = 0 } = rows[0] ?? {};
  if (published === 0) return { result: "ok", message: "No articles are published yet." };
  if (waiting === 0)
    return { result: "ok", message: `Published articles: ${published}, all of them indexed.` };
  return {
    result: "warn",
    message: `Published articles: ${published}, ${waiting} of them not yet indexed by this version: keep \`inkstone serve\` running, which indexes them.`,
  };
}
