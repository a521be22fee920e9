import * as views from "../analytics/counting.ts";
import * as figures from "../analytics/roll-up.ts";
import * as articleRemoval from "../articles/removal.ts";
import * as retiredPaths from "../articles/retired-paths.ts";
import * as cards from "../cards/cards.ts";
import * as comments from "../comments/comments.ts";
import { type Actor, operator } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as events from "../../platform/events/events.ts";
import { removeFiles, type Store } from "../../platform/files/removal.ts";
import { forgetResponses } from "../../http/run-write.ts";
import * as profilePicture from "../../content/images/profile-picture.ts";
import { enqueue } from "../../platform/jobs/queue.ts";
import * as organizations from "../organizations/organizations.ts";
import * as reactions from "../reactions/reactions.ts";
import * as vocabulary from "../../search/vocabulary.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as log from "../log/log.ts";
import * as tags from "../tags/tags.ts";
import * as uploads from "../uploads/uploads.ts";
import * as addresses from "../users/addresses.ts";
import * as moderation from "../users/moderation.ts";
import * as users from "../users/users.ts";
import * as deliveries from "../webhooks/queue.ts";
import * as accounts from "./accounts.ts";

interface Deletion {
  id: number;
  now: Date;
  actor?: Actor<Removed>;
}

export type Removed = Awaited<ReturnType<typeof deleteRows>>;

/**
 * Deletes an account with its content, and what other people's rows repeat of it. Its comments elsewhere stay, empty
 * and anonymous. `settings`: those that name it.
 * @throws AppError invalid for the last admin, not_found
 */
export async function deleteUser({ db, files }: Store, deletion: Deletion) {
  const { actor = operator(db) } = deletion;
  const removed = await actor.run((tx) => deleteRows(tx, actor, deletion));
  const { articleIds, names, images, comments: emptied, ...tally } = removed;
  await forgetTraces({ db, files }, { userId: deletion.id, names });
  await cards.discard(files, articleIds);
  return { articles: articleIds.length, comments: emptied, images, ...tally };
}

/** A process that ends early leaves the traces to a job. */
const TRACES_SECONDS = 60;

async function deleteRows(tx: Db, actor: Actor, { id, now }: Omit<Deletion, "actor">) {
  const user = await moderation.lockToDelete(tx, id);
  await moderation.requireOver(tx, actor, id);
  const names = await users.namesOf(tx, id);
  const images = (await uploads.list(tx, id)).map(({ name }) => name);
  const tagNames = await accounts.tagsOf(tx, id);
  await reactions.removeByUsers(tx, [id], now);
  // Articles go before comments, many of which may be under them.
  const articleIds = await articleRemoval.removeByAuthors(tx, [id]);
  const emptied = await comments.emptyByAuthor(tx, id);
  await views.forgetPeople(tx, [id]);
  const groups = await accounts.organizationsOfOne(tx, id);
  await organizations.removeAll(
    tx,
    groups.map((group) => group.id),
  );
  await retiredPaths.removeUnder(tx, [...names, ...groups.map(({ username }) => username)]);
  await addresses.forget(tx, id, now);
  await log.record(tx, actor, { act: "delete_user", on: { kind: "user", id } });
  await log.anonymize(tx, { userId: id, organizationIds: groups.map((group) => group.id) });
  await users.removeAll(tx, [id]);
  await tags.removeForgotten(tx, tagNames);
  await events.forgetAuthors(tx, await events.idsOf(tx, id));
  await events.record(tx, "user_destroyed", { user_id: id });
  const pictures = [user, ...groups].flatMap(({ profile_image }) => profilePicture.ownFiles(profile_image));
  const files = [...images.map(uploads.fileOf), ...pictures];
  await enqueue(tx, "forget-user", { user_id: id, files }, { delaySeconds: TRACES_SECONDS, key: id });
  return {
    comments: emptied,
    organizations: groups.length,
    settings: await settings.naming(tx, user),
    articleIds,
    images: images.length,
    names: files,
  };
}

/**
 * Removes what other people's rows repeat of a deleted person, words and figures that have come to nothing, and files.
 * @returns whether all files are gone, which stay while a backup runs
 */
export async function forgetTraces(
  { db, files }: Store,
  { userId, names }: { userId: number; names: readonly string[] },
): Promise<boolean> {
  const ids = await events.idsOf(db, userId);
  await deliveries.removeQuoting(db, ids);
  await forgetResponses(db, ids);
  await inTransaction(db, async (tx) => {
    await vocabulary.addUpChanges(tx);
    await vocabulary.forgetUnused(tx);
  });
  await inTransaction(db, (tx) => figures.addUpChanges(tx));
  await figures.purge(db);
  return (await removeFiles({ db, files }, names)) === names.length;
}
