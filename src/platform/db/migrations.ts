import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { VERSION } from "../config.ts";
import { locate } from "../program-files.ts";

const FOLDER = locate("platform/db/migrations/");

/** Expanding files leave earlier programs working. A contracting one runs with a later version. */
export type Kind = "expand" | "contract";

export interface Migration {
  name: string;
  kind: Kind;
  /** Whether `migrate` of this program runs it. */
  isDue: boolean;
  statements: string;
  checksum: string;
}

let own: Promise<Migration[]> | undefined;

/** This program's migrations in order, read once: a newer version may replace the files while it runs. */
export const ownMigrations = (): Promise<Migration[]> => (own ??= readFiles());

const HEAD = /^-- (?:expand|contract in (\d+\.\d+\.\d+))$/;

export function toMigration(name: string, statements: string): Migration {
  const [head, version = "0"] = HEAD.exec(statements.split("\n", 1)[0] ?? "") ?? [];
  if (head === undefined)
    throw new Error(
      `${name} must begin with "-- expand" or "-- contract in 1.2.0", the version that runs it.`,
    );
  const kind = head === "-- expand" ? "expand" : "contract";
  const isDue = VERSION.localeCompare(version, undefined, { numeric: true }) >= 0;
  const checksum = createHash("sha256").update(statements).digest("hex");
  return { name, kind, isDue, statements, checksum };
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
