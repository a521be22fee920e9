import { randomBytes } from "node:crypto";
import { type Actor, userOf } from "../actor.ts";
import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalid } from "../errors.ts";
import * as events from "../events/events.ts";
import type { FairQueue } from "../fair-queue.ts";
import type { Files } from "../files/files.ts";
import type { Images } from "../images/images.ts";
import * as actions from "../limits/actions.ts";
import { quote } from "../text/quote.ts";
import * as users from "../users/users.ts";
import * as queries from "./queries.ts";

const FOLDER = "uploads";
const WINDOW_SECONDS = 30;
const MEGABYTE = 1_000_000;

export interface Upload {
  name: string;
  bytes: number;
}

interface Store {
  files: Files;
  images: Images;
  queue: FairQueue;
}

/**
 * Stores a re-encoded image under a random name.
 * @throws AppError rate_limited, or invalid for a bad image or a full quota
 */
export async function create(actor: Actor, image: Buffer, { files, images, queue }: Store): Promise<Upload> {
  const uploader = await uploaderOf(actor);
  await refuseTooMany(actor.db, uploader);
  const upload = await queue.run({ key: uploader.userId }, () => write({ files, images }, image));
  // Removes a useless file at once; uncertain ones are left to the sweep.
  let isKept = false;
  try {
    return await actor.run(async (tx) => {
      isKept = false;
      await keep(tx, upload, uploader);
      isKept = true;
      return upload;
    });
  } finally {
    if (!isKept) await discard(files, upload);
  }
}

interface Uploader {
  userId: number;
  limit: number | undefined;
  quotaMegabytes: number;
  now: Date;
}

async function uploaderOf(actor: Actor): Promise<Uploader> {
  const { image_upload_limit: limit, image_quota_megabytes: quotaMegabytes } = await actor.settings();
  return {
    userId: userOf(actor).id,
    limit: actor.isLimited ? limit : undefined,
    quotaMegabytes,
    now: actor.now(),
  };
}

/** Before the image is processed. */
async function refuseTooMany(db: Db, uploader: Uploader): Promise<void> {
  const limit = limitOf(uploader);
  if (limit !== undefined) {
    await inTransaction(db, async (tx) => {
      await users.hold(tx, [uploader.userId]);
      await actions.check(tx, limit);
    });
  }
  // Every image has a byte.
  await refuseTooMuch(db, uploader, 1);
}

async function write({ files, images }: { files: Files; images: Images }, image: Buffer): Promise<Upload> {
  const picture = await images.reencode(image);
  const name = `${randomBytes(16).toString("hex")}.${picture.extension}`;
  await files.put(`${FOLDER}/${name}`, picture.bytes, picture.type);
  return { name, bytes: picture.bytes.length };
}

async function keep(tx: Db, upload: Upload, uploader: Uploader): Promise<void> {
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

export function discard(files: Files, { name }: Pick<Upload, "name">): Promise<void> {
  return files.remove(`${FOLDER}/${name}`);
}

export function list(db: Db, userId: number) {
  return queries.uploadsOf(db, userId);
}

const NAME = /^[0-9a-f]{32}\.[a-z]+$/;

/**
 * Also without an owner.
 * @throws AppError invalid when there is none
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

export function open(files: Files, name: string) {
  return files.get(`${FOLDER}/${name}`);
}
