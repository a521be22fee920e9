import { randomBytes } from "node:crypto";
import { open, rm, stat } from "node:fs/promises";

const CHUNK_BYTES = 1024 * 1024;

/** A file that is removed when the disk is full. */
export function ballastAt(path: string, bytes: number) {
  const remove = () => rm(path, { force: true });
  return {
    bytes,
    remove,
    async make(signal: AbortSignal) {
      await remove();
      await write(path, bytes, signal).catch(async (error: unknown) => {
        await remove();
        throw error;
      });
    },
    // Another size: incomplete, or of another setting.
    exists: () => stat(path).then(({ size }) => size === bytes, isMissing),
  };
}

function isMissing(error: NodeJS.ErrnoException): false {
  if (error.code === "ENOENT") return false;
  throw error;
}

/** Random bytes: a compressing file system would reserve nothing for others. */
async function write(path: string, bytes: number, signal: AbortSignal): Promise<void> {
  const chunk = randomBytes(CHUNK_BYTES);
  const file = await open(path, "wx", 0o600);
  try {
    for (let left = bytes; left > 0; left -= CHUNK_BYTES) {
      signal.throwIfAborted();
      await file.writeFile(chunk.subarray(0, left));
    }
    await file.sync();
  } finally {
    await file.close();
  }
}
