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

const KINDS = ["users", "organizations", "tags"] as const;
export type Kind = (typeof KINDS)[number];

export const FollowTarget = Type.Object({
  kind: Type.Enum([...KINDS], { description: "The kind of what is followed.", examples: ["tags"] }),
  name: Type.String({
    description:
      "The id, or the username in any case. For tags the name in any case, or else the id: a name may be digits.",
    examples: ["bookbinding"],
  }),
});

export const FollowList = Type.Object({
  ...listPage({ default: 80, max: 1000 }),
  kind: Type.Optional(
    Type.Enum([...KINDS], { description: "Only follows of this kind.", examples: ["tags"] }),
  ),
});

export const Follow = Type.Object(
  {
    type_of: Type.Enum(["user_follow", "organization_follow", "tag_follow"], {
      description: "The type of the resource.",
    }),
    id: count("The id of the follow, not of what is followed."),
    created_at: timestamp("When the caller began to follow."),
    user_id: Type.Optional(count("The id of the user, if one is followed.")),
    organization_id: Type.Optional(count("The id of the organization, if one is followed.")),
    tag_id: Type.Optional(count("The id of the tag, if one is followed.")),
    name: text("The display name, or the name of the tag."),
    path: text("The path of its page."),
    username: Type.Optional(text("The name in URLs. Tags have none.")),
    profile_image: Type.Optional(url("The URL of the profile image, 60 by 60 pixels. Tags have none.")),
  },
  { title: "Follow", description: "A user, an organization or a tag that the caller follows." },
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

export const FOLLOW_EXAMPLE: Follow = {
  type_of: "tag_follow",
  id: 31,
  created_at: "2026-02-01T10:00:00Z",
  tag_id: 3,
  name: "bookbinding",
  path: "/t/bookbinding",
};

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
