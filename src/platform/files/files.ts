import { randomBytes } from "node:crypto";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { isStorageFailure } from "../db/failures.ts";
import { makeFolders } from "../folders.ts";
import { type Disk, noRoom } from "./disk.ts";

const ABANDONED_MS = 60 * 60 * 1_000;

/** A folder and a name that no file system misreads. */
const NAME = /^[a-z][a-z-]{0,30}\/[0-9a-z][0-9a-z-]{1,100}\.[a-z]{2,5}$/;

/** Not a folder for files: has what is being written. */
const INCOMING = "incoming";

/** Files that several processes share. Names are like `uploads/3f2a.png`. */
export interface Files {
  /** Fulfilled when the file survives a power cut. No reader sees half of it. */
  put: (name: string, bytes: Buffer) => Promise<void>;
  /** The receiver must read or destroy the stream. */
  get: (name: string) => Promise<{ size: number; stream: Readable } | undefined>;
  /** Lists the files of a folder, or of all, in no order. */
  list: (folder?: string) => AsyncGenerator<ListedFile>;
  remove: (name: string) => Promise<void>;
  sweep: (now: Date) => Promise<void>;
}

export interface ListedFile {
  name: string;
  modifiedAt: Date;
  /** The digest of the content, where the store knows it without reading. */
  md5?: string;
  bytes?: number;
}

export async function contentOf(files: Files, name: string): Promise<Buffer | undefined> {
  const file = await files.get(name);
  return file && buffer(file.stream);
}

/** Keeps files in a directory. Each folder has up to 36² parts by the beginning of the names, so that none gets large. */
export function createFiles(root: string, disk?: Pick<Disk, "hasRoom">): Files {
  const incoming = join(root, INCOMING);

  return {
    async put(name, bytes) {
      const path = pathOf(root, name);
      if (disk?.hasRoom === false) throw noRoom();
      const temporary = join(incoming, randomBytes(16).toString("hex"));
      await makeDirectory(root, incoming);
      try {
        await putOnDisk(temporary, bytes);
        await makeDirectory(root, dirname(path));
        await rename(temporary, path);
        await synchronise(dirname(path));
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },

    async get(name) {
      const path = pathOf(root, name);
      const handle = await open(path, "r").catch(forgiveMissing(undefined));
      if (handle === undefined) return undefined;
      const { size } = await handle.stat().catch(async (error: unknown) => {
        await handle.close();
        throw locate(error, path);
      });
      const stream = handle.createReadStream();
      return { size, stream: stream.on("error", (error) => void locate(error, path)) };
    },

    async *list(folder) {
      for (const each of folder === undefined ? await entries(root) : [folder]) yield* filesOf(root, each);
    },

    remove: (name) => rm(pathOf(root, name), { force: true }),

    async sweep(now) {
      const limit = new Date(now.getTime() - ABANDONED_MS);
      for (const name of await entries(incoming)) {
        const path = join(incoming, name);
        const modifiedAt = await timeOf(path);
        if (modifiedAt !== undefined && modifiedAt < limit) await rm(path, { force: true });
      }
    },
  };
}

/** Where a bucket has backups, which are no files of the site. */
export const BACKUPS = "backups/";

export const isName = (name: string): boolean => NAME.test(name) && !name.startsWith(`${INCOMING}/`);

export function checkName(name: string): string {
  if (isName(name)) return name;
  throw new Error(`A file can't be called ${JSON.stringify(name)}.`);
}

export function pathOf(root: string, name: string): string {
  const [folder = "", file = ""] = checkName(name).split("/");
  return join(root, folder, file.slice(0, 2), file);
}

async function* filesOf(root: string, folder: string): AsyncGenerator<ListedFile> {
  for (const part of await entries(join(root, folder))) {
    for (const file of await entries(join(root, folder, part))) {
      const name = `${folder}/${file}`;
      // Other programs' files.
      if (!isName(name) || pathOf(root, name) !== join(root, folder, part, file)) continue;
      const modifiedAt = await timeOf(pathOf(root, name));
      if (modifiedAt !== undefined) yield { name, modifiedAt };
    }
  }
}

async function putOnDisk(path: string, bytes?: Buffer): Promise<void> {
  const handle = await open(path, bytes ? "wx" : "r", 0o640);
  try {
    if (bytes) await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    throw locate(error, path);
  } finally {
    await handle.close();
  }
}

/** Failures of open files don't name their path. */
function locate(error: unknown, path: string): unknown {
  if (isStorageFailure(error) && error.path === undefined) {
    error.path = path;
    error.message += ` '${path}'`;
  }
  return error;
}

/** Survives a power cut. */
async function makeDirectory(root: string, path: string): Promise<void> {
  const first = makeFolders(path, 0o750);
  if (first === undefined) return;
  for (let made = path; made.length >= root.length; made = dirname(made)) await synchronise(dirname(made));
}

/** Puts new entries of a directory on the disk. */
export const synchronise = (directory: string): Promise<void> => putOnDisk(directory);

const entries = (directory: string) => readdir(directory).catch(forgiveMissing<string[]>([]));

const timeOf = (path: string) => stat(path).then(({ mtime }) => mtime, forgiveMissing(undefined));

/** Another process may have removed the file. */
function forgiveMissing<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return instead;
    throw error;
  };
}
