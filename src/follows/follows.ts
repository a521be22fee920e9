import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalid, notFound } from "../errors.ts";
import * as events from "../events/events.ts";
import * as actions from "../limits/actions.ts";
import * as users from "../users/users.ts";
import * as queries from "./queries.ts";

/** What can be followed. */
export type Target = { userId: number } | { organizationId: number } | { tagId: number };

interface Wish {
  followerId: number;
  target: Target;
}

/** What following depends on beside the wish. */
export interface Rules {
  now: Date;
  /** How many a person may follow in a day; undefined when that isn't limited. */
  dailyLimit: number | undefined;
}

const DAY_SECONDS = 86_400;

/**
 * Follows a person, an organization or a tag, and tells whether they didn't before. Who follows
 * another name of a tag follows the tag.
 * @throws AppError unauthorized, not_found, invalid, rate_limited
 */
export async function follow(
  db: Db,
  { followerId, target }: Wish,
  { now, dailyLimit }: Rules,
): Promise<boolean> {
  const asked = columnsOf(target);
  if (asked.followed_user_id === followerId) throw invalid("You can't follow yourself");
  return inTransaction(db, async (tx) => {
    await users.hold(tx, [followerId]);
    await users.requireActive(tx, followerId);
    const followed = await queries.hold(tx, asked);
    if (!followed) throw notFound();
    const made = await queries.insert(tx, { follower_id: followerId, ...followed, created_at: now });
    if (!made) return false;
    if (dailyLimit !== undefined) {
      await actions.spend(tx, {
        userId: followerId,
        action: "follow",
        limit: dailyLimit,
        windowSeconds: DAY_SECONDS,
        now,
      });
    }
    await events.record(tx, "follow_created", { follower_id: followerId, ...named(followed) });
    const { followed_user_id } = followed;
    if (followed_user_id !== undefined) await queries.addFollowers(tx, new Map([[followed_user_id, 1]]));
    return true;
  });
}

/**
 * Follows somebody or something no more, and tells whether they did.
 * @throws AppError unauthorized
 */
export async function unfollow(db: Db, { followerId, target }: Wish): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await users.requireActive(tx, followerId);
    const followed = await queries.hold(tx, columnsOf(target));
    if (!followed || !(await queries.remove(tx, followerId, followed))) return false;
    await events.record(tx, "follow_destroyed", { follower_id: followerId, ...named(followed) });
    return true;
  });
}

function columnsOf(target: Target): queries.Followed {
  if ("userId" in target) return { followed_user_id: target.userId };
  return "tagId" in target ? { tag_id: target.tagId } : { organization_id: target.organizationId };
}

/** The same as events name it. */
function named({ followed_user_id, organization_id = 0, tag_id }: queries.Followed) {
  if (followed_user_id !== undefined) return { user_id: followed_user_id };
  return tag_id === undefined ? { organization_id } : { tag_id };
}

/**
 * Who is to be told of a publication: a part of those who follow the author or the organization, by
 * number behind a given one.
 */
export function audience(db: Db, part: queries.Audience): Promise<number[]> {
  return queries.audience(db, part);
}
