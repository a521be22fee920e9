import * as articles from "../articles/reading.ts";
import { idCode } from "../comments/id-codes.ts";
import * as comments from "../comments/reading.ts";
import type { Db } from "../db/connect.ts";
import type { ConsumedBy, Events } from "../events/events.ts";
import * as users from "../users/users.ts";
import type { EventName } from "./event-names.ts";
import * as queries from "./subject-queries.ts";

/** What has happened, as far as it is somebody's news. */
export interface News {
  event: EventName;
  /** To whom it is news; nobody when they are gone. */
  ownerId: (db: Db) => Promise<number | undefined>;
  /** What the owner may read of it now; nothing when there is nothing left to read. */
  data: (db: Db, options: ViewOptions) => Promise<object | undefined>;
}

export interface ViewOptions {
  baseUrl: string;
  now: Date;
}

const KINDS: { [Type in ConsumedBy<"webhooks">]: (payload: Events[Type]) => News | undefined } = {
  article_created: ({ article_id }) => ofArticle("article_created", article_id),
  article_updated: ({ article_id }) => ofArticle("article_updated", article_id),
  article_published: ({ article_id }) => ofArticle("article_published", article_id),
  article_unpublished: ({ article_id }) => ofArticle("article_unpublished", article_id),
  article_destroyed: ({ article_id: id, author_id, title, path }) => ({
    event: "article_destroyed",
    ownerId: async () => author_id,
    data: async () => ({ id, title, path }),
  }),
  comment_created: (payload) =>
    ofComment("comment_created", payload, (db, { baseUrl }) =>
      comments.findAlone(db, payload.comment_id, baseUrl),
    ),
  comment_destroyed: (payload) => ofComment("comment_deleted", payload, async () => undefined),
  reaction_created: ofReaction,
  follow_created: ofFollow,
};

/** Reads an event of the outbox; undefined when no endpoint is told of its like. */
export function newsIn({ type, payload }: { type: string; payload: unknown }): News | undefined {
  return Object.hasOwn(KINDS, type) ? KINDS[type as ConsumedBy<"webhooks">](payload as never) : undefined;
}

function ofArticle(event: EventName, articleId: number): News {
  return {
    event,
    ownerId: (db) => queries.authorOfArticle(db, articleId),
    data: (db, options) => articles.asAuthorReads(db, articleId, options),
  };
}

/** Of what isn't public, or not any more, only which it is. Talk about podcasts isn't told. */
function ofComment(
  event: EventName,
  payload: Events["comment_created"],
  read: News["data"],
): News | undefined {
  if (!("article_id" in payload)) return undefined;
  const { article_id, comment_id } = payload;
  return {
    event,
    ownerId: (db) => queries.authorOfArticle(db, article_id),
    data: async (db, options) => ({
      ...((await read(db, options)) ?? { id_code: idCode(comment_id) }),
      article_id,
    }),
  };
}

/** One that was taken back in the meantime isn't told: nothing would take it back at the receiver. */
function ofReaction(payload: Events["reaction_created"]): News {
  const { reaction_id, user_id, category, article_id, comment_id = 0 } = payload;
  const target = article_id === undefined ? { id_code: idCode(comment_id) } : { article_id };
  return {
    event: "reaction_created",
    ownerId: (db) =>
      article_id === undefined
        ? queries.authorOfComment(db, comment_id)
        : queries.authorOfArticle(db, article_id),
    async data(db, { baseUrl }) {
      if (!(await queries.hasReaction(db, reaction_id))) return undefined;
      return { category, ...target, user: await users.shownBeside(db, user_id, baseUrl) };
    },
  };
}

/** The same holds for follows. */
function ofFollow(payload: Events["follow_created"]): News | undefined {
  if (!("user_id" in payload)) return undefined;
  const { follower_id, user_id } = payload;
  return {
    event: "follow_created",
    ownerId: async () => user_id,
    async data(db, { baseUrl }) {
      if (!(await queries.isFollower(db, follower_id, user_id))) return undefined;
      return users.shownBeside(db, follower_id, baseUrl);
    },
  };
}
