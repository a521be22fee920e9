import { type Static, Type } from "typebox";
import { listPage } from "../http/schema.ts";

export const Follower = Type.Object(
  {
    type_of: Type.Literal("user_follower"),
    id: Type.Integer({ description: "The number of the follow, not of the person." }),
    created_at: Type.String({ format: "date-time", description: "Since when they follow." }),
    user_id: Type.Integer(),
    name: Type.String({ description: "The display name." }),
    path: Type.String({ description: "`/` username." }),
    username: Type.String(),
    profile_image: Type.String({ format: "uri", description: "A picture of 60 by 60 pixels." }),
  },
  { title: "Follower" },
);
export type Follower = Static<typeof Follower>;

export const FollowerList = Type.Object({
  ...listPage({ default: 80, max: 1000 }),
  sort: Type.Optional(
    Type.String({
      description:
        "`created_at`: who has followed longest comes first. `-created_at`, and anything else: who began last.",
      // What isn't known is ignored, also what could never be.
      "x-any-text": true,
    }),
  ),
});

export const FollowedTag = Type.Object(
  {
    id: Type.Integer({ description: "The number of the tag." }),
    name: Type.String(),
    points: Type.Number({ description: "How much it means to the caller: 1, unless they said otherwise." }),
  },
  { title: "FollowedTag" },
);
export type FollowedTag = Static<typeof FollowedTag>;
