import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes what was created, renamed or removed in a directory survive a loss of power. */
export function syncDirectory(directory: string): void {
  const handle = openSync(directory, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
