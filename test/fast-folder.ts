import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** A folder in memory where the computer has enough of it: a database is copied ten times faster there than on a disk. */
export function fastFolder(): string {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 2 ** 31 ? memory : tmpdir();
}
