import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { locate } from "../../layout.ts";

/** The first line of a template; the contents follow it. */
export interface TemplateIndex {
  version: string;
  directories: string[];
  /** The length of each distinct content, in order. */
  contents: number[];
  /** Path and number of its content: many files of a new cluster are equal. */
  files: [path: string, content: number][];
}

export const TEMPLATE_FILE = fileURLToPath(locate("../assets/postgresql-template.br"));

/**
 * Fills an empty directory with a new cluster, on disk when this returns. initdb would take longer, and refuses accounts
 * without a name, as in containers that run as an arbitrary number.
 */
export function unpackTemplate(directory: string): void {
  const archive = brotliDecompressSync(readFileSync(TEMPLATE_FILE));
  const indexEnd = archive.indexOf("\n");
  const index = JSON.parse(archive.toString("utf8", 0, indexEnd)) as TemplateIndex;
  const contents: Buffer[] = [];
  let offset = indexEnd + 1;
  for (const length of index.contents) contents.push(archive.subarray(offset, (offset += length)));
  for (const path of index.directories) mkdirSync(join(directory, path), { mode: 0o700 });
  for (const [path, content] of index.files)
    writeFileSync(join(directory, path), contents[content] as Buffer, { mode: 0o600, flag: "wx" });
  // Syncing after all writes lets the file system group them.
  for (const path of [...index.files.map(([path]) => path), ...index.directories, ""])
    sync(join(directory, path));
}

export function sync(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
