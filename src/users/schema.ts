import { Type } from "typebox";
import { Url } from "../http/schema.ts";

const Nullable = Type.Union([Type.String(), Type.Null()]);

/** The author of something. */
export const Author = Type.Object(
  {
    name: Type.String({ description: "The display name." }),
    username: Type.String({ description: "The name in addresses." }),
    microblog_username: Nullable,
    codehost_username: Nullable,
    user_id: Type.Integer(),
    website_url: Type.Union([Url, Type.Null()]),
    profile_image: Type.String({ description: "A picture of 640 by 640 pixels." }),
    profile_image_90: Type.String({ description: "The same picture, 90 by 90 pixels." }),
  },
  { title: "Author" },
);
