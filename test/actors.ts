import { operator, type Operator, type User } from "../src/http/actor.ts";
import * as commentVerbs from "../src/community/comments/comments.ts";
import type { Db } from "../src/platform/db/connect.ts";
import * as followVerbs from "../src/community/follows/follows.ts";
import * as organizationVerbs from "../src/community/organizations/organizations.ts";
import * as reactionVerbs from "../src/community/reactions/reactions.ts";
import * as readingListVerbs from "../src/community/reading-list/reading-list.ts";
import type { Settings } from "../src/platform/settings/fields.ts";
import * as settings from "../src/platform/settings/settings.ts";
import type { Renderer } from "../src/content/text/render-pool.ts";

interface Someone {
  id: number;
  role?: string;
}

interface Options {
  now?: Date;
  /** No limits hold when left out. */
  limits?: Partial<Settings> | undefined;
  run?: Operator["run"];
}

/** A user who acts without HTTP. */
function actorOf(
  db: Db,
  { id, role = "member" }: Someone,
  { now, limits, run }: Options = {},
): Operator & { user: User } {
  return {
    ...operator(db, () => now ?? new Date()),
    by: "key",
    user: { id, role: role as User["role"] },
    isLimited: limits !== undefined,
    settings: () => Promise.resolve({ ...settings.defaults(), ...limits }),
    ...(run && { run }),
  };
}

/** A user who writes texts without HTTP. */
export function authorOf(
  db: Db,
  user: Someone,
  { renderer, ...options }: Options & { renderer: Renderer },
): Operator & { renderer: Renderer } {
  return { ...actorOf(db, user, options), renderer };
}

interface Follow {
  followerId: number;
  target: followVerbs.Target;
}

export interface FollowRules {
  now: Date;
  dailyLimit?: number | undefined;
}

export const follows = {
  follow: (db: Db, { followerId, target }: Follow, { now, dailyLimit }: FollowRules) => {
    const limits = dailyLimit === undefined ? undefined : { follow_limit: dailyLimit };
    return followVerbs.follow(actorOf(db, { id: followerId }, { now, limits }), target);
  },
  unfollow: (db: Db, { followerId, target }: Follow) =>
    followVerbs.unfollow(actorOf(db, { id: followerId }), target),
};

export type Reaction = reactionVerbs.Reaction & { userId: number };

interface Rules {
  now: Date;
  limit?: number | undefined;
}

const reactor = (db: Db, id: number, { now, limit }: Rules) =>
  actorOf(db, { id }, { now, limits: limit === undefined ? undefined : { reaction_create_limit: limit } });

export const reactions = {
  react: (db: Db, { userId, ...reaction }: Reaction, rules: Rules) =>
    reactionVerbs.react(reactor(db, userId, rules), reaction),
  unreact: (db: Db, { userId, ...reaction }: Reaction, now: Date) =>
    reactionVerbs.unreact(reactor(db, userId, { now }), reaction),
};

interface Mark {
  userId: number;
  articleId: number;
}

export const readingList = {
  save: (db: Db, { userId, articleId }: Mark, rules: Rules) =>
    readingListVerbs.save(reactor(db, userId, rules), articleId),
  unsave: (db: Db, { userId, articleId }: Mark, now: Date) =>
    readingListVerbs.unsave(reactor(db, userId, { now }), articleId),
  archive: (db: Db, { userId, articleId }: Mark) =>
    readingListVerbs.archive(actorOf(db, { id: userId }), articleId),
};

export type By = "operator" | Someone;
const by = (db: Db, who: By) => (who === "operator" ? operator(db) : actorOf(db, who));

interface NewComment extends Omit<Parameters<typeof commentVerbs.create>[1], "markdown"> {
  writer: Someone;
  body: { markdown: string; html: string };
}

/** Of bodies that are rendered already. */
const rendered = ({ html }: { html: string }): Renderer => ({
  baseUrl: "",
  render: () => Promise.resolve({ html } as never),
});

export const comments = {
  write: (
    db: Db,
    { writer, body, ...comment }: NewComment,
    { now, isLimited = false }: { now: Date; isLimited?: boolean },
  ) => {
    const limits = isLimited ? {} : undefined;
    const author = authorOf(db, writer, { now, limits, renderer: rendered(body) });
    return commentVerbs.create(author, { ...comment, markdown: body.markdown });
  },
  edit: (
    db: Db,
    { id, writer, body, now }: Pick<NewComment, "writer" | "body"> & { id: number; now: Date },
  ) => {
    const author = authorOf(db, writer, { now, renderer: rendered(body) });
    return commentVerbs.edit(author, { id, markdown: body.markdown });
  },
  remove: (db: Db, { id, by: who }: { id: number; by: By }) => commentVerbs.remove(by(db, who), id),
  setHidden: (db: Db, { by: who, ...wish }: { id: number; by: By; hidden: boolean }) =>
    commentVerbs.setHidden(by(db, who), wish),
};

export const organizations = {
  create: (db: Db, made: Parameters<typeof organizationVerbs.create>[1], who: By) =>
    organizationVerbs.create(by(db, who), made),
  edit: (db: Db, change: Parameters<typeof organizationVerbs.edit>[1], who: By) =>
    organizationVerbs.edit(by(db, who), change),
  addMember: (db: Db, membership: Parameters<typeof organizationVerbs.addMember>[1], who: By) =>
    organizationVerbs.addMember(by(db, who), membership),
  removeMember: (db: Db, membership: organizationVerbs.Membership, who: By) =>
    organizationVerbs.removeMember(by(db, who), membership),
};
