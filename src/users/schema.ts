import { type Static, Type } from "typebox";
import { idParameter, orNull, Url } from "../http/schema.ts";

const Nullable = orNull(Type.String());

/** The author of something. */
export const Author = Type.Object(
  {
    name: Type.String({ description: "The display name." }),
    username: Type.String({ description: "The name in addresses." }),
    microblog_username: Nullable,
    codehost_username: Nullable,
    user_id: Type.Integer(),
    website_url: orNull(Url),
    profile_image: Type.String({ description: "A picture of 640 by 640 pixels." }),
    profile_image_90: Type.String({ description: "The same picture, 90 by 90 pixels." }),
  },
  { title: "Author" },
);

/** A person with what they say of themselves. */
export const User = Type.Object(
  {
    type_of: Type.Literal("user"),
    id: Type.Integer(),
    username: Type.String({ description: "The name in addresses." }),
    name: Type.String({ description: "The display name." }),
    microblog_username: Nullable,
    codehost_username: Nullable,
    summary: Nullable,
    location: Nullable,
    website_url: orNull(Url),
    joined_at: Type.String({ description: "Like `Jan  3, 2025`: the day takes two columns." }),
    profile_image: Type.String({ description: "A picture of 320 by 320 pixels." }),
  },
  { title: "User" },
);
export type User = Static<typeof User>;

export const UserId = Type.Object({ id: idParameter("The number of a person.") });

export const UserByUsername = Type.Object({
  url: Type.String({ description: "The username; case makes no difference.", examples: ["lena"] }),
});
