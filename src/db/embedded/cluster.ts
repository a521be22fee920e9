import { lchownSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Account, EngineError, isRoot } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { makePrivateDir, type Place } from "./data-dirs.ts";
import { sync, unpackTemplate } from "./template.ts";

export const SUPERUSER = "inkstone";

export function prepareCluster(place: Place, binaries: Binaries): void {
  const { cluster, account } = place;
  const found = versionOf(cluster);
  const [major = ""] = binaries.version.split(".");
  if (found === undefined) createCluster(place);
  else if (found !== major) throw otherVersion(cluster, found, major);
  else if (isRoot() && statSync(cluster).uid !== account.uid) giveTo(account, cluster);
}

function versionOf(cluster: string): string | undefined {
  try {
    return readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  if ((statSync(cluster, { throwIfNoEntry: false }) ? readdirSync(cluster) : []).length === 0)
    return undefined;
  throw new EngineError(
    `${cluster} has files in it but is no PostgreSQL database: move it away, or give Inkstone another DATA_DIR.`,
  );
}

function otherVersion(cluster: string, found: string, wanted: string): EngineError {
  return new EngineError(
    `${cluster} was written by PostgreSQL ${found} and this version of Inkstone brings PostgreSQL ${wanted}: ` +
      `run "inkstone export FILE --with-secrets" with the version of Inkstone that wrote it, move ${cluster} away, ` +
      `then run "inkstone import FILE" with this one.`,
  );
}

/** The cluster is made beside its place and moved there when it is on disk, so a half-made one is never used. */
function createCluster({ home, cluster, account }: Place): void {
  const unfinished = `${cluster}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  makePrivateDir(unfinished, account);
  unpackTemplate(unfinished);
  if (isRoot()) giveTo(account, unfinished);
  renameSync(unfinished, cluster);
  sync(home);
}

function giveTo({ uid, gid }: Account, directory: string): void {
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" }))
    lchownSync(join(directory, name), uid, gid);
  lchownSync(directory, uid, gid);
}
