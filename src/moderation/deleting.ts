import * as views from "../analytics/counting.ts";
import * as articleRemoval from "../articles/removal.ts";
import * as comments from "../comments/comments.ts";
import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import * as events from "../events/events.ts";
import type { Files } from "../files/files.ts";
import * as profilePicture from "../images/profile-picture.ts";
import * as reactions from "../reactions/reactions.ts";
import * as uploads from "../uploads/uploads.ts";
import * as moderation from "../users/moderation.ts";
import * as users from "../users/users.ts";

type Deletion = { id: number; now: Date };

/**
 * Deletes an account with its content. Its comments elsewhere stay, empty and anonymous.
 * @throws AppError invalid for the last admin, not_found
 */
export async function deleteUser({ db, files }: { db: Db; files: Files }, deletion: Deletion) {
  const { picture, images, ...tally } = await inTransaction(db, (tx) => deleteRows(tx, deletion));
  // The nightly sweep removes them if the process ends here.
  await uploads.removeAll({ db, files }, images);
  await profilePicture.remove({ db, files }, picture);
  return { ...tally, images: images.length };
}

async function deleteRows(tx: Db, { id, now }: Deletion) {
  const { profile_image: picture } = await moderation.lockToDelete(tx, id);
  const images = (await uploads.list(tx, id)).map(({ name }) => name);
  await reactions.removeByUsers(tx, [id], now);
  // Articles go before comments, many of which may be under them.
  const removed = await articleRemoval.removeByAuthors(tx, [id]);
  const emptied = await comments.emptyByAuthor(tx, id);
  await views.forgetPeople(tx, [id]);
  await users.removeAll(tx, [id]);
  await events.record(tx, "user_destroyed", { user_id: id });
  return { articles: removed, comments: emptied, images, picture };
}
