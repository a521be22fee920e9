import { createHash } from "node:crypto";
import { invalid } from "../errors.ts";
import { contentOf, type Files, type ListedFile } from "./files.ts";

const AT_ONCE = 8;
/** A running site may replace a file meanwhile. */
const TRIES = 3;

export interface Copied {
  copied: number;
  /** Files that were there already, with the same content. */
  present: number;
  bytes: number;
}

/** Copies all files, and reads each again where it went. @throws AppError invalid for one that changed */
export async function copyFiles(from: Files, to: Files, onProgress: (done: Copied) => void): Promise<Copied> {
  const there = new Map<string, ListedFile>();
  for await (const listed of to.list()) there.set(listed.name, listed);
  const done: Copied = { copied: 0, present: 0, bytes: 0 };
  const listing = from.list();
  const work = async () => {
    for await (const listed of listing) {
      const present = there.get(listed.name);
      if (present !== undefined && (await isSame([from, listed], [to, present]))) {
        done.present += 1;
      } else {
        const bytes = await copyOne(from, to, listed.name);
        if (bytes === undefined) continue;
        done.copied += 1;
        done.bytes += bytes;
      }
      onProgress(done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return done;
}

async function copyOne(from: Files, to: Files, name: string): Promise<number | undefined> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const bytes = await contentOf(from, name);
    if (bytes === undefined) return undefined;
    await to.put(name, bytes);
    if ((await contentOf(to, name))?.equals(bytes)) return bytes.length;
  }
  throw invalid(`${name} doesn't arrive unchanged: check the store or the disk that it is copied to.`);
}

type Stored = readonly [Files, ListedFile];

async function isSame(one: Stored, other: Stored): Promise<boolean> {
  if ((await digest(one)) === (await digest(other))) return true;
  // A store that encrypts lists another number.
  return (await digest(one, { isRead: true })) === (await digest(other, { isRead: true }));
}

async function digest([files, { name, md5 }]: Stored, { isRead = false } = {}): Promise<string | undefined> {
  if (md5 !== undefined && !isRead) return md5;
  const bytes = await contentOf(files, name);
  return bytes && createHash("md5").update(bytes).digest("hex");
}
