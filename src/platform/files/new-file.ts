import { randomBytes } from "node:crypto";
import { lstat, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { invalid } from "../errors.ts";
import { synchronise } from "./files.ts";

/** Files of the whole site hold e-mail addresses, and maybe secrets. */
const OWNER_ONLY = 0o600;

interface Overwriting {
  force?: boolean | undefined;
}

/** @throws AppError invalid */
export async function refuseExisting(file: string, { force }: Overwriting): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined || (found.isFile() && force)) return;
  if (found.isFile())
    throw invalid(`${file} exists already: name another file, or overwrite it with --force.`);
  throw invalid(
    `${file} exists already and is not a regular file: name another one, or - for standard output.`,
  );
}

/** Another one each time: two may write at once. */
const partOf = (file: string) => `${file}.${randomBytes(4).toString("hex")}.part`;

/** The name of the file that a part would have become; undefined for other files. */
const wholeOf = (name: string): string | undefined => /^(.+)\.[0-9a-f]{8}\.part$/.exec(name)?.[1];

/** Writes under another name first, so that `file` is never half a file. `write` leaves the sink open. */
export async function writeNewFile<T>(
  file: string,
  options: Overwriting,
  write: (sink: Writable) => Promise<T>,
): Promise<T> {
  await removeAbandoned(dirname(file), (name) => name === basename(file));
  const part = partOf(file);
  const handle = await open(part, "wx", OWNER_ONLY).catch((error: unknown) => {
    throw Object.assign(error as Error, { path: file });
  });
  const sink = handle.createWriteStream({ flush: true });
  try {
    const result = await write(sink);
    sink.end();
    await finished(sink);
    await refuseExisting(file, options);
    await rename(part, file);
    await synchronise(dirname(file));
    return result;
  } catch (error) {
    sink.destroy();
    await rm(part, { force: true });
    throw error;
  }
}

const DAY_MS = 86_400_000;

/** Removes the parts that killed processes left: nothing was written into them for a day. */
export async function removeAbandoned(folder: string, isOurs: (whole: string) => boolean): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const whole = wholeOf(name);
    if (whole === undefined || !isOurs(whole)) continue;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() && Date.now() - found.mtimeMs > DAY_MS) await rm(path, { force: true });
  }
}
