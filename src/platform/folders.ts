import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Makes missing directories, and returns the first. Node's `recursive` never ends in some, such as /proc. */
export function makeFolders(path: string, mode: number): string | undefined {
  if (isFolder(path)) return undefined;
  const parent = dirname(path);
  const first = existsSync(parent) ? undefined : makeFolders(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may be faster.
    if (!isFolder(path)) throw error;
  }
  return first ?? path;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
