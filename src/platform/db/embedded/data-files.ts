import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { locate } from "../../program-files.ts";
import { type Account, EngineError, isRoot } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { makePrivateDir, type Location } from "./data-dirs.ts";

export const SUPERUSER = "inkstone";

export function prepareCluster(place: Location, binaries: Binaries): void {
  const { cluster, account } = place;
  const found = versionOf(cluster);
  const [major = ""] = binaries.version.split(".");
  if (found === undefined) createCluster(place);
  else if (found !== major) throw otherVersion(cluster, found, major);
  else if (isRoot() && fs.statSync(cluster).uid !== account.uid) giveTo(account, cluster);
}

function versionOf(cluster: string): string | undefined {
  try {
    return fs.readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  if ((fs.statSync(cluster, { throwIfNoEntry: false }) ? fs.readdirSync(cluster) : []).length === 0)
    return undefined;
  throw new EngineError(
    `${cluster} has files in it but is not a PostgreSQL database: move it away, or give Inkstone another DATA_DIR.`,
  );
}

function otherVersion(cluster: string, found: string, wanted: string): EngineError {
  return new EngineError(
    `${cluster} was written by PostgreSQL ${found} and this version of Inkstone brings PostgreSQL ${wanted}: ` +
      `run \`inkstone backup FILE\` with the version of Inkstone that wrote it, move ${cluster} away, ` +
      `then run \`inkstone restore FILE\` with this one.`,
  );
}

/** The cluster is made beside its place and moved there when it is on disk, so a half-made one is never used. */
function createCluster({ home, cluster, account }: Location): void {
  const unfinished = `${cluster}.new`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  makePrivateDir(unfinished, account);
  unpackTemplate(unfinished);
  if (isRoot()) giveTo(account, unfinished);
  fs.renameSync(unfinished, cluster);
  sync(home);
}

function giveTo({ uid, gid }: Account, directory: string): void {
  for (const name of fs.readdirSync(directory, { recursive: true, encoding: "utf8" }))
    fs.lchownSync(join(directory, name), uid, gid);
  fs.lchownSync(directory, uid, gid);
}

export interface TemplateIndex {
  version: string;
  directories: string[];
  /** The length of each distinct content, in order. */
  contents: number[];
  /** Path and number of its content: many files of a new cluster are equal. */
  files: [path: string, content: number][];
}

export const TEMPLATE_FILE = fileURLToPath(locate("../assets/postgresql-template.br"));

/** Fills an empty directory with a new cluster. initdb takes longer, and refuses accounts without a name. */
function unpackTemplate(directory: string): void {
  const archive = brotliDecompressSync(fs.readFileSync(TEMPLATE_FILE));
  const indexEnd = archive.indexOf("\n");
  const index = JSON.parse(archive.toString("utf8", 0, indexEnd)) as TemplateIndex;
  const contents: Buffer[] = [];
  let offset = indexEnd + 1;
  for (const length of index.contents) contents.push(archive.subarray(offset, (offset += length)));
  for (const path of index.directories) fs.mkdirSync(join(directory, path), { mode: 0o700 });
  for (const [path, content] of index.files)
    fs.writeFileSync(join(directory, path), contents[content] as Buffer, { mode: 0o600, flag: "wx" });
  // Syncing after all writes lets the file system group them.
  for (const path of [...index.files.map(([path]) => path), ...index.directories, ""])
    sync(join(directory, path));
}

function sync(path: string): void {
  const handle = fs.openSync(path, "r");
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}
