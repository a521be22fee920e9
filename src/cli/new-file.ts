import { lstat, open, rename, rm } from "node:fs/promises";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { invalid } from "../errors.ts";

interface Force {
  force?: boolean | undefined;
}

/** Exports have e-mail addresses, and maybe hashes. */
const OWNER_ONLY = 0o600;

/** @throws AppError invalid */
export async function refuseExisting(file: string, { force }: Force): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined || (found.isFile() && force)) return;
  if (found.isFile()) {
    throw invalid(`${file} exists already: name another file, or overwrite it with --force.`);
  }
  throw invalid(`${file} exists already and is not a regular file: name another one.`);
}

/** Writes under another name first, so that `file` is never half of it. */
export async function writeNewFile<T>(
  file: string,
  options: Force,
  write: (sink: Writable) => Promise<T>,
): Promise<T> {
  await refuseExisting(file, options);
  const part = `${file}.part`;
  await rm(part, { force: true });
  const handle = await open(part, "wx", OWNER_ONLY);
  try {
    const sink = handle.createWriteStream({ flush: true });
    const written = await write(sink);
    sink.end();
    await finished(sink);
    await refuseExisting(file, options);
    await rename(part, file);
    return written;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
