import { Type } from "typebox";
import { list, operations, read } from "../../http/operation.ts";
import { found, listed } from "../../http/responses.ts";
import { addressOf } from "../../content/images/profile-picture.ts";
import { profilePath } from "../../platform/paths.ts";
import { timestamp } from "../../platform/text/dates.ts";
import * as queries from "./queries.ts";
import { FollowedTag, Follower, FOLLOWER_EXAMPLE, FollowerList } from "./schema.ts";

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
]);

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
