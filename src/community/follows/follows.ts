import { type Actor, userOf } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import * as events from "../../platform/events/events.ts";
import { idIn } from "../../platform/fields/fields.ts";
import * as actions from "../../platform/limits/actions.ts";
import * as organizations from "../organizations/organizations.ts";
import * as tags from "../tags/tags.ts";
import * as users from "../users/users.ts";
import * as queries from "./queries.ts";
import type { FollowTarget } from "./schema.ts";

export type Target = { userId: number } | { organizationId: number } | { tagId: number };

const DAY_SECONDS = 86_400;

/** An alias stands for its tag. Returns whether the follow is new. */
export async function follow(actor: Actor<boolean>, target: Target): Promise<boolean> {
  const asked = columnsOf(target);
  if (asked.followed_user_id === userOf(actor).id) throw invalid("You can't follow yourself");
  const { follow_limit: limit } = await actor.settings();
  return actor.run(async (tx) => {
    const [{ id: userId }, now] = [userOf(actor), actor.now()];
    await users.lock(tx, [userId]);
    await users.requireActive(tx, userId);
    const followed = await queries.lock(tx, asked);
    if (!followed) throw notFound();
    const made = await queries.insertIfNew(tx, { follower_id: userId, ...followed, created_at: now });
    if (!made) return false;
    if (actor.isLimited) {
      await actions.spend(tx, { userId, action: "follow", limit, windowSeconds: DAY_SECONDS, now });
    }
    await events.record(tx, "follow_created", { follower_id: userId, ...named(followed) });
    return true;
  });
}

/** Reads an id or a name as a target, which may not exist: nothing has the id 0. The name of a tag may be digits. */
export async function find(db: Db, { kind, name }: FollowTarget): Promise<Target> {
  const id = idIn(name);
  if (kind === "tags") return { tagId: (await tags.find(db, name))?.id ?? id ?? 0 };
  const noun = kind === "users" ? users : organizations;
  const found = id ?? (await noun.idsByUsername(db, [name])).get(name.toLowerCase()) ?? 0;
  return kind === "users" ? { userId: found } : { organizationId: found };
}

/** Ends a follow. Returns whether there was one. @throws AppError unauthorized, not_found without a target */
export function unfollow(actor: Actor<boolean>, target: Target): Promise<boolean> {
  return actor.run(async (tx) => {
    const { id: userId } = userOf(actor);
    await users.requireActive(tx, userId);
    const followed = await queries.lock(tx, columnsOf(target));
    if (!followed) throw notFound();
    if (!(await queries.remove(tx, userId, followed))) return false;
    await events.record(tx, "follow_destroyed", { follower_id: userId, ...named(followed) });
    return true;
  });
}

function columnsOf(target: Target): queries.Followed {
  if ("userId" in target) return { followed_user_id: target.userId };
  return "tagId" in target ? { tag_id: target.tagId } : { organization_id: target.organizationId };
}

function named({ followed_user_id, organization_id = 0, tag_id }: queries.Followed) {
  if (followed_user_id !== undefined) return { user_id: followed_user_id };
  return tag_id === undefined ? { organization_id } : { tag_id };
}

export { audiences, listFollowed, reassign } from "./queries.ts";
