import { type Static, Type } from "typebox";
import { Url } from "../http/schema.ts";

export const Instance = Type.Object(
  {
    context: Type.Null(),
    cover_image_url: Url,
    description: Type.String(),
    display_in_directory: Type.Boolean(),
    domain: Type.String({ description: "The host of the site, with the port if it isn't the usual one." }),
    logo_image_url: Url,
    name: Type.String(),
    tagline: Type.String(),
    version: Type.String({ description: "The version of Inkstone." }),
    visibility: Type.Enum(["public", "private", "pending"], {
      description: "`pending`: nobody has an account yet.",
    }),
  },
  { title: "Instance" },
);
export type Instance = Static<typeof Instance>;

export const Probe = Type.Object({ status: Type.Literal("ok") }, { title: "Probe" });
