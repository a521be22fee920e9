import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { Db } from "../src/db/connect.ts";
import { NEVER_STORED, RECORDS, say, WORD } from "./canary-records.ts";
import { pngOf } from "./pictures.ts";
import type { World } from "./world.ts";

/** As PostgreSQL prints bytes. */
const HEXADECIMAL = Buffer.from("zcanary").toString("hex");

/** A picture on the disk, for commands. */
export async function pictureFile(world: World): Promise<string> {
  const folder = join(world.context.config.dataDir, "given");
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${randomUUID()}.png`);
  await writeFile(path, pngOf(700, 700));
  return path;
}

/** The words in the rows of all tables, each with the tables that have it, and other texts that are looked for. */
export async function wordsIn(db: Db, others: readonly string[] = []): Promise<Map<string, string[]>> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select nspname as schema, relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname !~ '^(pg_|information_schema$)'`.execute(db);
  const found = new Map<string, string[]>();
  for (const { schema, name } of tables) {
    const looked = [say("").slice(0, -1), HEXADECIMAL, ...others].map((text) => `%${text}%`);
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(each)::text as row from ${sql.table(`${schema}.${name}`)} as each
      where to_jsonb(each)::text ilike any(${looked}::text[])`.execute(db);
    for (const { row } of rows) {
      const words = row.match(WORD) ?? [];
      const hidden = [HEXADECIMAL, ...others].filter((text) =>
        row.toLowerCase().includes(text.toLowerCase()),
      );
      for (const word of new Set([...words.map((one) => one.toLowerCase()), ...hidden]))
        found.set(word, [...new Set([...(found.get(word) ?? []), `${schema}.${name}`])]);
    }
  }
  return found;
}

/** The files of the store, with the words in them. */
export async function filesIn(world: World): Promise<{ name: string; words: string[] }[]> {
  const root = join(world.context.config.dataDir, "files");
  const all = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = all.filter((one) => one.isFile());
  return Promise.all(
    files.map(async (file) => ({
      name: file.name,
      words: (await readFile(join(file.parentPath, file.name))).toString("latin1").match(WORD) ?? [],
    })),
  );
}

/** All words that the person has said. */
export function allSaid(): string[] {
  const written = JSON.stringify(RECORDS).match(WORD) ?? [];
  const sent = [
    "apititle",
    "apibody",
    "apitag",
    "idempotent",
    "edited",
    "doomed",
    "apisource",
    "apitarget",
    "said",
  ];
  return [...new Set([...written, ...sent.map(say), ...NEVER_STORED])];
}
