import { type Static, Type } from "typebox";
import type { Context } from "../context.ts";
import { privateAnswer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { caller } from "../http/auth.ts";
import { cutCounted } from "../http/pages.ts";
import { count, listPage, own, ownListed, text, timestamp as moment, url } from "../http/schema.ts";
import { addressOf } from "../images/profile-picture.ts";
import { profilePath } from "../paths.ts";
import { timestamp } from "../text/dates.ts";
import * as queries from "./queries.ts";
import type { FollowerRow } from "./queries.ts";

const Follower = Type.Object(
  {
    type_of: Type.Literal("user_follower", { description: "The type of the resource." }),
    id: count("The id of the follow, not of the user."),
    created_at: moment("When the user began to follow."),
    user_id: count("The id of the user."),
    name: text("The display name."),
    path: text("`/{username}`."),
    username: text("The name in URLs."),
    profile_image: url("The URL of the profile image, 60 by 60 pixels."),
  },
  { title: "Follower", description: "A user who follows the caller." },
);
type Follower = Static<typeof Follower>;

const FollowerList = Type.Object({
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

const FollowedTag = Type.Object(
  {
    id: count("The id of the tag."),
    name: text("The name of the tag."),
    points: Type.Number({ description: "The weight that the caller has given the tag. The default is 1." }),
  },
  { title: "FollowedTag", description: "A tag that the caller follows." },
);

const tags = ["follows"];

const FOLLOWER_EXAMPLE: Follower = {
  type_of: "user_follower",
  id: 6,
  created_at: "2026-02-01T10:00:00Z",
  user_id: 7,
  name: "Chloé Lefèvre",
  path: "/chloe_lefevre",
  username: "chloe_lefevre",
  profile_image: "https://community.example/assets/identicons/user-7-60.png",
};

export function followRoutes(app: App, context: Context): void {
  followers(app, context);
  followedTags(app, context);
}

function followers(app: App, { config: { baseUrl }, db }: Context): void {
  app.get(
    "/api/followers/users",
    {
      config: { access: "key" },
      schema: {
        operationId: "getFollowers",
        summary: "List the caller's followers",
        description: "Users who follow the caller, newest first, except suspended ones.",
        tags,
        querystring: FollowerList,
        response: ownListed(Follower, {
          description: "The response contains the followers; it is an empty array past the last page.",
          example: [FOLLOWER_EXAMPLE],
        }),
      },
    },
    async (request, reply) => {
      const { page, per_page, sort } = request.query;
      const userId = caller(request).id;
      const isOldestFirst = sort === "created_at";
      const { rows, headers } = await cutCounted(
        { request, baseUrl, page, per_page },
        (part) => queries.listFollowers(db.main, userId, { isOldestFirst, ...part }),
        () => queries.followerCount(db.main, userId),
      );
      const body = JSON.stringify(rows.map((row) => follower(row, baseUrl)));
      return privateAnswer(request, reply, { body, headers });
    },
  );
}

function followedTags(app: App, { db }: Context): void {
  app.get(
    "/api/follows/tags",
    {
      config: { access: "key" },
      schema: {
        operationId: "getFollowedTags",
        summary: "List the caller's followed tags",
        description: "All followed tags, highest points first, then by name.",
        tags,
        response: own(Type.Array(FollowedTag), {
          description: "The response contains the tags; it is an empty array if there are none.",
          example: [{ id: 13, name: "discuss", points: 1 }],
        }),
      },
    },
    async (request, reply) => {
      const rows = await queries.listTags(db.main, caller(request).id);
      return privateAnswer(request, reply, { body: JSON.stringify(rows) });
    },
  );
}

function follower(row: FollowerRow, baseUrl: string): Follower {
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
