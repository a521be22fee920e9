import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Config } from "../config.ts";
import { BACKUPS } from "../files/files.ts";
import { writeNewFile } from "../files/new-file.ts";
import { openFiles, placeOf } from "../files/open.ts";
import { makeFolders } from "../folders.ts";

/** Where BACKUP_DIR is. */
export interface Place {
  /** All names there, also those of other files. */
  list: () => Promise<string[]>;
  /** The file is there when it is whole. */
  write: <T>(name: string, write: (sink: Writable) => Promise<T>) => Promise<T>;
  remove: (name: string) => Promise<void>;
  /** For sentences. */
  text: string;
}

export type PlaceSettings = Pick<Config, "dataDir" | "s3"> & { backupDir: string };

export async function openPlace(config: PlaceSettings): Promise<Place> {
  return config.backupDir === "s3" ? openBucketPlace(config) : openFolder(config.backupDir);
}

export function openFolder(folder: string): Place {
  return {
    list: () => readdir(folder).catch(ifMissing),
    async write(name, write) {
      makeFolders(folder, 0o700);
      return writeNewFile(join(folder, name), { force: true }, write);
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    text: folder,
  };
}

function ifMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === "ENOENT") return [];
  throw error;
}

async function openBucketPlace(config: PlaceSettings): Promise<Place> {
  const { s3 } = config;
  if (s3 === undefined) throw new Error("BACKUP_DIR is s3 without a store.");
  const { createUpload } = await import("../files/s3-upload.ts");
  const [files, place] = [await openFiles(config), placeOf(config)];
  return {
    async list() {
      const names: string[] = [];
      for await (const { name } of files.list(BACKUPS.slice(0, -1))) names.push(name.slice(BACKUPS.length));
      return names;
    },
    async write(name, write) {
      const sink = createUpload(s3, place, BACKUPS + name);
      // Thrown by whoever writes or waits.
      sink.on("error", () => {});
      try {
        const result = await write(sink);
        sink.end();
        await finished(sink);
        return result;
      } catch (error) {
        if (!sink.closed) await new Promise((resolve) => sink.once("close", resolve).destroy());
        throw error;
      }
    },
    remove: (name) => files.remove(BACKUPS + name),
    text: `${BACKUPS} of ${place}`,
  };
}
