import { type Static, Type } from "typebox";
import { count, listPage, text, timestamp, url } from "../../http/schema.ts";

export const Follower = Type.Object(
  {
    type_of: Type.Literal("user_follower", { description: "The type of the resource." }),
    id: count("The id of the follow, not of the user."),
    created_at: timestamp("When the user began to follow."),
    user_id: count("The id of the user."),
    name: text("The display name."),
    path: text("`/{username}`."),
    username: text("The name in URLs."),
    profile_image: url("The URL of the profile image, 60 by 60 pixels."),
  },
  { title: "Follower", description: "A user who follows the caller." },
);
export type Follower = Static<typeof Follower>;

export const FollowerList = Type.Object({
  ...listPage({ default: 80, max: 1000 }),
  sort: Type.Optional(
    Type.String({
      description:
        "`created_at` for the oldest followers first. Any other value, such as `-created_at`, gives the newest first.",
      examples: ["created_at"],
      // An unknown value is ignored, even one that can't be stored.
      "x-any-text": true,
    }),
  ),
});

const kind = Type.Enum(["users", "organizations", "tags"], {
  description: "The kind of what is followed.",
  examples: ["tags"],
});

export const FollowTarget = Type.Object({
  kind,
  name: Type.String({
    description: "The id, or the username, in any case. A tag's name may be digits, and comes before an id.",
    examples: ["bookbinding"],
  }),
});
export type FollowTarget = Static<typeof FollowTarget>;

export const FollowList = Type.Object({ ...listPage({ default: 80, max: 1000 }), kind: Type.Optional(kind) });

const { user_id: _, username, profile_image, ...common } = Follower.properties;

export const Follow = Type.Object(
  {
    ...common,
    type_of: Type.Enum(["user_follow", "organization_follow", "tag_follow"], {
      description: "The type of the resource.",
    }),
    followed_id: count("The id of the user, organization or tag."),
    username: Type.Optional(username),
    profile_image: Type.Optional(profile_image),
  },
  { title: "Follow", description: "A user, organization or tag that the caller follows." },
);
export type Follow = Static<typeof Follow>;

export const FollowedTag = Type.Object(
  {
    id: count("The id of the tag."),
    name: text("The name of the tag."),
    points: Type.Number({ description: "The weight that the caller has given the tag. The default is 1." }),
  },
  { title: "FollowedTag", description: "A tag that the caller follows." },
);

export const FOLLOWER_EXAMPLE: Follower = {
  type_of: "user_follower",
  id: 6,
  created_at: "2026-02-01T10:00:00Z",
  user_id: 7,
  name: "Chloé Lefèvre",
  path: "/chloe_lefevre",
  username: "chloe_lefevre",
  profile_image: "https://community.example/assets/identicons/user-7-60.png",
};

const { user_id: followed_id, ...follower } = FOLLOWER_EXAMPLE;
export const FOLLOW_EXAMPLE: Follow = { ...follower, type_of: "user_follow", followed_id };
