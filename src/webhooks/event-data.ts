import * as articles from "../articles/reading.ts";
import { idCode } from "../comments/id-codes.ts";
import * as comments from "../comments/reading.ts";
import type { Db } from "../db/connect.ts";
import type { Events } from "../events/events.ts";
import type { Consumed } from "../events/outbox.ts";
import { timestamp } from "../text/dates.ts";
import * as users from "../users/users.ts";
import type { EventName } from "./schema.ts";
import * as queries from "./queries.ts";

export interface ViewOptions {
  baseUrl: string;
  now: Date;
}

/** The owner of an event: a person, or the author of an article or a comment. */
export type Owner = { userId: number } | { articleId: number } | { commentId: number };

export interface EventData {
  owner: Owner;
  /** The data that the owner may read now; undefined if there is none. */
  data: (db: Db, options: ViewOptions) => Promise<object | undefined>;
}

const KINDS: { [Type in EventName]: (payload: Events[Type]) => EventData | undefined } = {
  article_created: ofArticle,
  article_updated: ofArticle,
  article_published: ofArticle,
  article_unpublished: ofArticle,
  article_destroyed: ({ article_id: id, author_id, title, path }) => ({
    owner: { userId: author_id },
    data: async () => ({ id, title, path }),
  }),
  comment_created: (payload) =>
    ofComment(payload, (db, { baseUrl }) => comments.findAlone(db, payload.comment_id, baseUrl)),
  comment_deleted: (payload) => ofComment(payload, async () => undefined),
  reaction_created: ofReaction,
  follow_created: ofFollow,
};

/** Undefined for an event that endpoints aren't sent. */
export function dataOf({ type, payload }: Consumed<"webhooks">): EventData | undefined {
  return KINDS[type](payload as never);
}

function ofArticle({ article_id: id }: { article_id: number }): EventData {
  return {
    owner: { articleId: id },
    data: (db, options) => articles.asAuthorReads(db, id, options),
  };
}

/** A comment that isn't public, or no longer, is sent as its id alone. Comments on podcasts aren't sent. */
function ofComment(payload: Events["comment_created"], read: EventData["data"]): EventData | undefined {
  if (!("article_id" in payload)) return undefined;
  const { article_id, comment_id } = payload;
  return {
    owner: { articleId: article_id },
    data: async (db, options) => ({
      ...((await read(db, options)) ?? { id_code: idCode(comment_id) }),
      article_id,
    }),
  };
}

/** A reaction that was taken back in the meantime isn't sent: no later event would take it back at the receiver. */
function ofReaction(payload: Events["reaction_created"]): EventData {
  const { reaction_id, user_id, category, article_id, comment_id = 0 } = payload;
  const target = article_id === undefined ? { id_code: idCode(comment_id) } : { article_id };
  return {
    owner: article_id === undefined ? { commentId: comment_id } : { articleId: article_id },
    async data(db, { baseUrl }) {
      if (!(await queries.hasReaction(db, reaction_id))) return undefined;
      return { category, ...target, user: await users.shownBeside(db, user_id, baseUrl) };
    },
  };
}

/** The same holds for follows. */
function ofFollow(payload: Events["follow_created"]): EventData | undefined {
  if (!("user_id" in payload)) return undefined;
  const { follower_id, user_id } = payload;
  return {
    owner: { userId: user_id },
    async data(db, { baseUrl }) {
      if (!(await queries.isFollower(db, follower_id, user_id))) return undefined;
      return users.shownBeside(db, follower_id, baseUrl);
    },
  };
}

/** The largest body that Standard Webhooks asks receivers to be ready for. */
const MAX_BYTES = 20_000;

/** The body of a delivery. A body that would be too large goes without the texts of the article, and says so. */
export function payloadOf(event: EventName | "ping", at: Date, data: object): string {
  const write = (data: object) => JSON.stringify({ type: event, timestamp: timestamp(at), data });
  const whole = write(data);
  if (Buffer.byteLength(whole) <= MAX_BYTES) return whole;
  const { body_markdown: _markdown, body_html: _html, ...rest } = data as Record<string, unknown>;
  return write({ ...rest, truncated: true });
}
