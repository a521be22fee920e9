import { Type } from "typebox";
import type { Actor } from "../../http/actor.ts";
import { list, operations, read, write } from "../../http/operation.ts";
import { emptied, found, listed } from "../../http/responses.ts";
import { addressOf } from "../../content/images/profile-picture.ts";
import { profilePath, tagPath } from "../../platform/paths.ts";
import { timestamp } from "../../platform/text/dates.ts";
import * as follows from "./follows.ts";
import * as queries from "./queries.ts";
import {
  Follow,
  FOLLOW_EXAMPLE,
  FollowedTag,
  Follower,
  FOLLOWER_EXAMPLE,
  FollowerList,
  FollowList,
  FollowTarget,
} from "./schema.ts";

export const followRoutes = operations("follows", [
  list({
    path: "GET /api/followers/users",
    id: "getFollowers",
    access: "key",
    summary: "List the caller's followers",
    description: "Users who follow the caller, newest first, except suspended ones.",
    query: FollowerList,
    answers: listed(Follower, "the followers", FOLLOWER_EXAMPLE),
    rows: ({ caller, query }, { db }, part) =>
      queries.listFollowers(db.main, caller.id, { isOldestFirst: query.sort === "created_at", ...part }),
    count: ({ caller }, { db }) => queries.followerCount(db.main, caller.id),
    show: (row, { baseUrl }) => follower(row, baseUrl),
  }),
  list({
    path: "GET /api/follows",
    id: "getFollows",
    access: "key",
    summary: "List the caller's follows",
    description: "The users, organizations and tags that the caller follows, newest first.",
    query: FollowList,
    answers: listed(Follow, "the follows", FOLLOW_EXAMPLE),
    rows: ({ caller, query: { kind } }, { db }, part) =>
      queries.listFollowed(db.main, caller.id, { ...part, kind }),
    show: (row, { baseUrl }) => followed(row, baseUrl),
  }),
  read({
    path: "GET /api/follows/tags",
    id: "getFollowedTags",
    access: "key",
    summary: "List the caller's followed tags",
    description: "All followed tags, highest points first, then by name.",
    answers: found(Type.Array(FollowedTag), "the tags; it is an empty array if there are none", [
      { id: 13, name: "discuss", points: 1 },
    ]),
    run: async ({ caller }, { db }) => ({ body: JSON.stringify(await queries.listTags(db.main, caller.id)) }),
  }),
  write({
    path: "PUT /api/follows/:kind/:name",
    id: "follow",
    access: "write",
    summary: "Follow a user, an organization or a tag",
    description: "No effect if the caller follows it already. An alias stands for its tag.",
    params: FollowTarget,
    answers: emptied("The caller follows it."),
    run: async (actor: Actor<boolean>, { params }) =>
      follows.follow(actor, await follows.find(actor.db, params)),
  }),
  write({
    path: "DELETE /api/follows/:kind/:name",
    id: "unfollow",
    access: "write",
    summary: "Unfollow a user, an organization or a tag",
    description: "No effect if the caller doesn't follow it.",
    params: FollowTarget,
    answers: emptied("The caller doesn't follow it."),
    run: async (actor: Actor<boolean>, { params }) =>
      follows.unfollow(actor, await follows.find(actor.db, params)),
  }),
]);

function followed(row: queries.FollowedRow, baseUrl: string): Follow {
  const { id, created_at, kind, followed_id, name, username, profile_image } = row;
  const follow = { id, created_at: timestamp(created_at), followed_id, name };
  if (kind === "tag" || username === null) return { type_of: "tag_follow", ...follow, path: tagPath(name) };
  const picture = addressOf({ kind, id: followed_id, profile_image }, 60, baseUrl);
  const shown = { path: profilePath(username), username, profile_image: picture };
  return { type_of: `${kind}_follow`, ...follow, ...shown };
}

function follower(row: queries.FollowerRow, baseUrl: string): Follower {
  const { id, created_at, follower_id, name, username, profile_image } = row;
  return {
    type_of: "user_follower",
    id,
    created_at: timestamp(created_at),
    user_id: follower_id,
    name,
    path: profilePath(username),
    username,
    profile_image: addressOf({ kind: "user", id: follower_id, profile_image }, 60, baseUrl),
  };
}
