import { hash, randomBytes } from "node:crypto";
import { type Actor, userOf } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { invalid } from "../../platform/errors.ts";
import * as events from "../../platform/events/events.ts";
import type { Files } from "../../platform/files/files.ts";
import { removeFiles, type Store } from "../../platform/files/removal.ts";
import type { Studio } from "../../content/images/profile-picture.ts";
import * as actions from "../../platform/limits/actions.ts";
import { quote } from "../../platform/text/quote.ts";
import * as users from "../users/users.ts";
import * as queries from "./queries.ts";

export { uploadsOf as list } from "./queries.ts";

const FOLDER = "uploads";
const WINDOW_SECONDS = 30;
const MEGABYTE = 1_000_000;

export interface Upload {
  name: string;
  bytes: number;
}

/**
 * Stores a re-encoded image under a random name.
 * @throws AppError rate_limited, or invalid for a bad image or a full quota
 */
export async function create(
  actor: Actor<Upload>,
  image: Buffer,
  { files, images }: Studio,
): Promise<Upload> {
  const { id: user_id } = userOf(actor);
  const { image_upload_limit, image_quota_megabytes: quota } = await actor.settings();
  const limit = actor.isLimited && limitOf(user_id, image_upload_limit, actor.now());
  // Refused before the image is processed. Every image has a byte.
  if (limit) {
    await inTransaction(actor.db, async (tx) => {
      await users.lock(tx, [user_id]);
      await actions.check(tx, limit);
    });
  }
  await refuseTooMuch(actor.db, user_id, { quota, more: 1 });
  const picture = await images.reencode(image, { key: user_id });
  const upload = {
    name: `${randomBytes(16).toString("hex")}.${picture.extension}`,
    bytes: picture.bytes.length,
  };
  await files.put(`${FOLDER}/${upload.name}`, picture.bytes);
  // Removes a useless file at once; uncertain ones are left to the sweep.
  let isKept = false;
  try {
    return await actor.run(async (tx) => {
      isKept = false;
      await users.lock(tx, [user_id]);
      if (limit) await actions.spend(tx, limit);
      await refuseTooMuch(tx, user_id, { quota, more: upload.bytes });
      await queries.insert(tx, { ...upload, user_id, created_at: actor.now() });
      await events.record(tx, "image_uploaded", { user_id, name: upload.name });
      isKept = true;
      return upload;
    });
  } finally {
    if (!isKept) await files.remove(`${FOLDER}/${upload.name}`);
  }
}

/** An image of the site itself, such as its logo, which no user owns; the settings that name it keep it. */
export async function createForSite(image: Buffer, { files, images }: Studio): Promise<string> {
  const picture = await images.reencode(image, { key: NO_USER });
  const name = `${randomBytes(16).toString("hex")}.${picture.extension}`;
  await files.put(`${FOLDER}/${name}`, picture.bytes);
  return name;
}

const NO_USER = 0;

function limitOf(userId: number, limit: number | undefined, now: Date): actions.ActionLimit | undefined {
  if (limit === undefined) return undefined;
  return { userId, action: "image upload", limit, windowSeconds: WINDOW_SECONDS, now };
}

async function refuseTooMuch(
  db: Db,
  userId: number,
  { quota, more }: { quota: number; more: number },
): Promise<void> {
  if ((await queries.bytesOf(db, userId)) + more <= quota * MEGABYTE) return;
  throw invalid(
    `With this image yours would take up more than ${quota} MB: ask an operator of the community to remove some`,
  );
}

function removeAll(store: Store, names: readonly string[]): Promise<number> {
  return removeFiles(store, names.map(fileOf));
}

export const fileOf = (name: string): string => `${FOLDER}/${name}`;

const NAME = /^[0-9a-f]{32}\.[a-z]+$/;

/**
 * Removes an upload, also one without an owner. Its file stays until the night if a backup runs.
 * @throws AppError invalid when there is none, or a setting shows it
 */
export async function remove(
  { db, files }: Store,
  name: string,
): Promise<{ name: string; user_id: number | null; isFileLeft: boolean }> {
  const file = NAME.test(name) ? await open(files, name) : undefined;
  file?.stream.destroy();
  const owner = await inTransaction(db, async (tx) => {
    const setting = NAME.test(name) ? await queries.settingNaming(tx, name) : undefined;
    if (setting !== undefined)
      throw invalid(`${setting} shows the image ${name}: change that setting first.`);
    const removed = await queries.remove(tx, name);
    if (removed !== undefined) await events.record(tx, "image_removed", { user_id: removed.user_id, name });
    return removed;
  });
  if (owner === undefined && file === undefined) {
    throw invalid(`There is no image ${quote(name)}: its name is the end of its address.`);
  }
  const isFileLeft = file !== undefined && (await removeAll({ db, files }, [name])) === 0;
  return { name, user_id: owner?.user_id ?? null, isFileLeft };
}

export function open(files: Files, name: string) {
  return files.get(fileOf(name));
}

interface Wanted {
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
