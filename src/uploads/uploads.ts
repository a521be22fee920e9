import { randomBytes } from "node:crypto";
import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalid } from "../errors.ts";
import * as events from "../events/events.ts";
import type { Files } from "../files/files.ts";
import type { Images } from "../images/images.ts";
import * as actions from "../limits/actions.ts";
import type { Settings } from "../settings/schema.ts";
import { quote } from "../text/quote.ts";
import * as users from "../users/users.ts";
import * as queries from "./queries.ts";

const FOLDER = "uploads";
const WINDOW_SECONDS = 30;
const MEGABYTE = 1_000_000;

/** An image whose file is written, but which isn't anybody's yet. */
export interface Upload {
  name: string;
  bytes: number;
}

/** Who uploads, and under which rules. */
export interface Uploader {
  userId: number;
  /** Undefined when limits are off. */
  limit: number | undefined;
  quotaMegabytes: number;
  now: Date;
}

export function uploader(
  userId: number,
  site: { settings: Settings; rateLimits: boolean; now: Date },
): Uploader {
  const { image_upload_limit: limit, image_quota_megabytes: quotaMegabytes } = site.settings;
  return { userId, limit: site.rateLimits ? limit : undefined, quotaMegabytes, now: site.now };
}

/**
 * Refuses who has uploaded too often or has no room left, before anything is done with the image.
 * @throws AppError rate_limited or invalid
 */
export async function refuseTooMany(db: Db, uploader: Uploader): Promise<void> {
  const limit = limitOf(uploader);
  if (limit !== undefined) {
    await inTransaction(db, async (tx) => {
      await users.hold(tx, [uploader.userId]);
      await actions.check(tx, limit);
    });
  }
  // No image has less than a byte.
  await refuseTooMuch(db, uploader, 1);
}

/**
 * Makes a clean picture of an image and writes it down under a name that nobody can guess.
 * @throws AppError invalid when it isn't one that is accepted
 */
export async function write(
  { files, images }: { files: Files; images: Images },
  image: Buffer,
): Promise<Upload> {
  const picture = await images.reencode(image);
  const name = `${randomBytes(16).toString("hex")}.${picture.extension}`;
  await files.put(`${FOLDER}/${name}`, picture.bytes, picture.type);
  return { name, bytes: picture.bytes.length };
}

/**
 * Makes a written image somebody's.
 * @throws AppError rate_limited, or invalid when it is more than they may keep
 */
export async function keep(tx: Db, upload: Upload, uploader: Uploader): Promise<void> {
  const { userId, now } = uploader;
  await users.hold(tx, [userId]);
  const limit = limitOf(uploader);
  if (limit !== undefined) await actions.spend(tx, limit);
  await refuseTooMuch(tx, uploader, upload.bytes);
  await queries.insert(tx, { name: upload.name, user_id: userId, bytes: upload.bytes, created_at: now });
  await events.record(tx, "image_uploaded", { user_id: userId, name: upload.name });
}

async function refuseTooMuch(db: Db, { userId, quotaMegabytes }: Uploader, more: number): Promise<void> {
  if ((await queries.bytesOf(db, userId)) + more <= quotaMegabytes * MEGABYTE) return;
  throw invalid(
    `With this image yours would take up more than ${quotaMegabytes} MB: ask an operator of the community to remove some`,
  );
}

function limitOf({ userId, limit, now }: Uploader): actions.ActionLimit | undefined {
  if (limit === undefined) return undefined;
  return { userId, action: "image upload", limit, windowSeconds: WINDOW_SECONDS, now };
}

/** Removes the file of an image that didn't become anybody's. */
export function discard(files: Files, { name }: Pick<Upload, "name">): Promise<void> {
  return files.remove(`${FOLDER}/${name}`);
}

/** The images of a person, the newest first. */
export function list(db: Db, userId: number) {
  return queries.uploadsOf(db, userId);
}

/** What every image is called. */
const NAME = /^[0-9a-f]{32}\.[a-z]+$/;

/**
 * Removes an image and its file for good, also one that is nobody's any more.
 * @throws AppError invalid when there is none of this name
 */
export async function remove(
  { db, files }: { db: Db; files: Files },
  name: string,
): Promise<{ name: string; user_id: number | null }> {
  const file = NAME.test(name) ? await open(files, name) : undefined;
  file?.stream.destroy();
  const owner = await inTransaction(db, async (tx) => {
    const removed = await queries.remove(tx, name);
    if (removed !== undefined) await events.record(tx, "image_removed", { user_id: removed.user_id, name });
    return removed;
  });
  if (owner === undefined && file === undefined) {
    throw invalid(`There is no image ${quote(name)}: its name is the end of its address.`);
  }
  if (file !== undefined) await files.remove(`${FOLDER}/${name}`);
  return { name, user_id: owner?.user_id ?? null };
}

/** The file of an image, by the name in its address. */
export function open(files: Files, name: string) {
  return files.get(`${FOLDER}/${name}`);
}
