import { operator } from "../../http/actor.ts";
import * as log from "../log/log.ts";
import * as views from "../analytics/counting.ts";
import * as articles from "../articles/transition.ts";
import * as feeds from "../feed-imports/imports.ts";
import type { Db } from "../../platform/db/connect.ts";
import { reassign, type Reassignment } from "../../platform/db/reassign.ts";
import { inTransaction, undone } from "../../platform/db/transaction.ts";
import * as events from "../../platform/events/events.ts";
import type { Files } from "../../platform/files/files.ts";
import * as follows from "../follows/follows.ts";
import * as profilePicture from "../../content/images/profile-picture.ts";
import * as notifications from "../notifications/notifications.ts";
import * as organizations from "../organizations/organizations.ts";
import * as reactions from "../reactions/reactions.ts";
import * as moderation from "../users/moderation.ts";
import * as users from "../users/users.ts";
import * as reports from "./reports.ts";

interface Merge extends Reassignment {
  now: Date;
  /** Whether all is undone, so that only the numbers are left. */
  isTrial: boolean;
}

/**
 * Gives what one account has to another and removes it; its name leads to the other. Its profile, keys and webhook
 * endpoints end.
 * @throws AppError invalid for the last admin, for one account twice and for a suspended one that would stay
 */
export async function mergeUsers({ db, files }: { db: Db; files: Files }, merge: Merge) {
  const { picture, ...tally } = await inTransaction(db, (tx) => {
    const work = () => mergeRows(tx, merge);
    return merge.isTrial ? undone(tx, work) : work();
  });
  // The nightly sweep removes it if the process ends here.
  if (!merge.isTrial) await profilePicture.remove({ db, files }, picture);
  return tally;
}

async function mergeRows(tx: Db, { from, to, now }: Merge) {
  const people = { from, to };
  const { profile_image: picture } = await moderation.lockToMerge(tx, people);
  const moved = {
    articles: await articles.reassign(tx, people, now),
    comments: await reassign(tx, ["comments", "author_id"], people),
    reactions: await reactions.reassign(tx, people, now),
    follows: await follows.reassign(tx, people),
    listings: await reassign(tx, ["listings", "author_id"], people),
    images: await reassign(tx, ["uploads", "user_id"], people),
    podcasts: await reassign(tx, ["podcasts", "owner_id"], people),
    feeds: await feeds.reassign(tx, people),
    organizations: await organizations.reassignMemberships(tx, people),
    notifications: await notifications.reassign(tx, people),
  };
  await views.reassign(tx, people);
  await reassign(tx, ["invitations", "inviter_id"], people);
  const on = { kind: "user", id: from } as const;
  await log.record(
    tx,
    operator(tx, () => now),
    { act: "merge_user", on, userId: to },
  );
  await reports.reassign(tx, people);
  await log.reassign(tx, people);
  await users.removeMerged(tx, people);
  await events.record(tx, "user_merged", { user_id: from, into: to });
  return { ...moved, picture };
}
