import { hash } from "node:crypto";
import type { Db } from "../../platform/db/connect.ts";
import type { Studio } from "../../content/images/profile-picture.ts";
import * as users from "../users/users.ts";
import * as queries from "./queries.ts";
import { NAME, open, removeAll } from "./uploads.ts";

interface Wanted {
  /** The username of the owner. */
  owner: string;
  bytes: Buffer;
  /** Kept if it is the name of an upload, and free. */
  name: string;
}

/**
 * The pictures of an import. Their files precede their rows, which are written in the transaction of the import. A
 * picture has the same name in each import, so that the next one finds it.
 */
export function importUploads(db: Db, { files, images }: Studio) {
  let added: { name: string; bytes: number; owner: string }[] = [];

  /** @throws AppError invalid for a bad image */
  async function add({ owner, bytes, name }: Wanted): Promise<string> {
    const stems = [digestOf(owner, bytes)];
    if (NAME.test(name)) stems.unshift(name.slice(0, name.indexOf(".")));
    for (const stem of stems) {
      const found = added.find((one) => one.name.startsWith(stem)) ?? (await queries.byStem(db, stem));
      if (found?.owner === owner) return found.name;
      if (found !== undefined) continue;
      const picture = await images.reencode(bytes);
      const upload = { name: `${stem}.${picture.extension}`, bytes: picture.bytes.length, owner };
      // A file without a row may be of the site itself.
      const taken = stem === stems.at(-1) ? undefined : await open(files, upload.name);
      taken?.stream.destroy();
      if (taken !== undefined) continue;
      await files.put(`uploads/${upload.name}`, picture.bytes);
      added.push(upload);
      return upload.name;
    }
    throw new Error(`No name is free for ${name}.`);
  }

  return {
    add,
    /** Writes the rows. Pictures of people whom the import has left out go. */
    async store(tx: Db, now: Date): Promise<void> {
      const ids = await users.idsByUsername(tx, [...new Set(added.map(({ owner }) => owner))]);
      const unowned: string[] = [];
      for (const { owner, ...upload } of added) {
        const user_id = ids.get(owner.toLowerCase());
        if (user_id === undefined) unowned.push(upload.name);
        else await queries.insert(tx, { ...upload, user_id, created_at: now });
      }
      await removeAll({ db, files }, unowned);
      // Whether a transaction has ended is uncertain when it fails: the sweep of files decides.
      added = [];
    },
    /** Removes the files of an import that failed. */
    async discard(): Promise<void> {
      await removeAll(
        { db, files },
        added.map(({ name }) => name),
      );
      added = [];
    },
  };
}

function digestOf(owner: string, bytes: Buffer): string {
  return hash("sha256", Buffer.concat([Buffer.from(`${owner}\0`), bytes])).slice(0, 32);
}
