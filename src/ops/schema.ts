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

export const Index = Type.Object(
  {
    docs: Type.String({ format: "uri", description: "The page to read and try the API." }),
    document: Type.String({ format: "uri", description: "The OpenAPI document." }),
    search: Type.String({ format: "uri", description: "The search for articles; give it `q`." }),
    instance: Type.String({ format: "uri", description: "The community: name, version, visibility." }),
  },
  { title: "Index" },
);
export type Index = Static<typeof Index>;

export const Probe = Type.Object({ status: Type.Literal("ok") }, { title: "Probe" });
