import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { locate } from "../layout.ts";

const FOLDER = locate("db/migrations/");

/**
 * An expanding file leaves the programs before it working on the schema. A contracting one removes what only they use,
 * so it runs when none of them is connected.
 */
export type Kind = "expand" | "contract";

export interface Migration {
  name: string;
  number: number;
  kind: Kind;
  statements: string;
  checksum: string;
}

let own: Promise<Migration[]> | undefined;

/** This program's migrations in order, read once: a newer version may replace the files while it runs. */
export function ownMigrations(): Promise<Migration[]> {
  return (own ??= readFiles());
}

export const newestOf = (migrations: readonly Migration[]): number =>
  Math.max(0, ...migrations.map(({ number }) => number));

export function toMigration(name: string, statements: string): Migration {
  const kind = /^-- (expand|contract)$/m.exec(statements.split("\n", 1)[0] ?? "")?.[1];
  if (kind === undefined) throw new Error(`${name} must begin with "-- expand" or "-- contract".`);
  const checksum = createHash("sha256").update(statements).digest("hex");
  return { name, number: Number.parseInt(name, 10), kind: kind as Kind, statements, checksum };
}

async function readFiles(): Promise<Migration[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(".sql")).toSorted();
  return Promise.all(
    files.map(async (name) => toMigration(name, await readFile(new URL(name, FOLDER), "utf8"))),
  );
}

export interface IndexStatement {
  index: string;
  text: string;
}

const CONCURRENT = /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)\s+on\s/i;

/** The statements of a file that builds indexes beside reads and writes, for which no transaction may be open. */
export function concurrentIndexes({ statements }: Migration): IndexStatement[] {
  const texts = statements.replaceAll(/^\s*--.*$/gm, "").split(/;\s*(?:\n|$)/);
  return texts.flatMap((text) => {
    const index = CONCURRENT.exec(text.trim())?.[1];
    return index === undefined ? [] : { index, text: text.trim() };
  });
}

const MADE = /^create (?:or replace )?(table|sequence|function) (\w+)/gm;

/** Drops what files have made, whose tables must be empty. */
export function dropping(files: readonly Migration[]): string {
  const made = files.flatMap(({ statements }) => [...statements.matchAll(MADE)]);
  return made.map(([, kind, name]) => `drop ${kind} if exists ${name} cascade;`).join("\n");
}
