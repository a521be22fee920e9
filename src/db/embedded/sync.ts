import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes the content of a file, or the names in a directory, survive a loss of power. */
export function sync(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
