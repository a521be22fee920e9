import { addressOf } from "../images/profile-picture.ts";
import { profilePath } from "../paths.ts";
import { timestamp } from "../text/dates.ts";
import type { FollowedTagRow, FollowerRow } from "./queries.ts";
import type { FollowedTag, Follower } from "./schema.ts";

export function follower(row: FollowerRow, baseUrl: string): Follower {
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

export function followedTag({ id, name, points }: FollowedTagRow): FollowedTag {
  return { id, name, points };
}
