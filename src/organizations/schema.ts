import { Type } from "typebox";
import { Url } from "../http/schema.ts";

/** The organization that something belongs to. */
export const Owner = Type.Object(
  {
    name: Type.String(),
    username: Type.String(),
    slug: Type.String({ description: "The same as `username`." }),
    profile_image: Url,
    profile_image_90: Url,
  },
  { title: "Owner" },
);
