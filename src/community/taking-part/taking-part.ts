import type { Actor } from "../../http/actor.ts";
import { type Cut, decoded, encodeCursor, type Part, toPart } from "../../http/pages.ts";
import type { Db } from "../../platform/db/connect.ts";
import type { Ref } from "../../search/find.ts";
import { ORDERS } from "../articles/lists/orders.ts";
import * as comments from "../comments/comments.ts";
import * as follows from "../follows/follows.ts";
import * as reactions from "../reactions/reactions.ts";
import * as readingList from "../reading-list/reading-list.ts";
import * as queries from "./queries.ts";

/** Something that a member does with a button, and takes back with the same one. */
export interface Act {
  turn(actor: Actor<boolean>, id: number, isOn: boolean): Promise<boolean>;
  /** How many people have done it. */
  count?(db: Db, id: number): Promise<number>;
  /** Whether answers to strangers show nothing of it. */
  unseen?: boolean;
}

const toReact =
  (category: reactions.Category, target: (id: number) => reactions.Reaction["target"]): Act["turn"] =>
  (actor, id, isOn) =>
    (isOn ? reactions.react : reactions.unreact)(actor, { target: target(id), category });

const reaction = (category: reactions.Category): Act => ({
  turn: toReact(category, (articleId) => ({ articleId })),
  count: async (db, id) => (await queries.reactionCounts(db, id, category))[category] ?? 0,
});

const follow = (target: (id: number) => follows.Target): Act => ({
  turn: (actor, id, isOn) => (isOn ? follows.follow : follows.unfollow)(actor, target(id)),
  unseen: true,
});

/** The acts by the names in their addresses. */
export const ACTS = {
  like: reaction("like"),
  unicorn: reaction("unicorn"),
  exploding_head: reaction("exploding_head"),
  raised_hands: reaction("raised_hands"),
  fire: reaction("fire"),
  readinglist: {
    turn: (actor, id, isOn) => (isOn ? readingList.save : readingList.unsave)(actor, id),
  },
  archive: {
    turn: (actor, id, isOn) => (isOn ? readingList.archive : readingList.save)(actor, id),
  },
  remove: {
    turn: (actor, id, isOn) => (isOn ? readingList.unsave : readingList.save)(actor, id),
  },
  "like-comment": { turn: toReact("like", (commentId) => ({ commentId })), count: queries.likesOf },
  "hide-comment": { turn: (actor, id, hidden) => comments.setHidden(actor, { id, hidden }) },
  "follow-user": follow((userId) => ({ userId })),
  "follow-organization": follow((organizationId) => ({ organizationId })),
  "follow-tag": follow((tagId) => ({ tagId })),
} as const satisfies Record<string, Act>;
export type ActName = keyof typeof ACTS;

export { popularPeople, pressedBy, reactionCounts, type Shown } from "./queries.ts";

/** The articles of all that a member follows, newest first. */
export async function followedArticles(
  db: Db,
  { userId, now }: { userId: number; now: Date },
  cut: Cut,
): Promise<Part<Ref> & { followsNone: boolean }> {
  const { limit, after } = decoded(cut, ORDERS.newest);
  const rows = await queries.followedArticles(db, { userId, now, limit: limit + 1, after });
  const found = rows.flatMap((row) => (row.article_id === null ? [] : row));
  const end = found[limit - 1];
  const part = toPart(found, limit, () => end && { cursor: encodeCursor(ORDERS.newest, end) });
  return { ...part, followsNone: rows.length === 0 };
}
