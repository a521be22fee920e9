import { type Static, Type } from "typebox";
import { text, url } from "../../http/schema.ts";

export const Instance = Type.Object(
  {
    context: Type.Null({ description: "Always null." }),
    cover_image_url: url("The URL of the cover image."),
    description: text("The purpose of the community; empty in a private one."),
    display_in_directory: Type.Boolean({ description: "Whether directories may list the community." }),
    domain: text("The host of the site, with the port unless it is the default one."),
    logo_image_url: url("The URL of the logo."),
    name: text("The name of the community."),
    tagline: text("The slogan of the community."),
    version: text("The version of Inkstone."),
    visibility: Type.Enum(["public", "private", "pending"], {
      description: "Who may read: everyone, or only members. `pending` until the first account exists.",
    }),
  },
  { title: "Instance", description: "The community." },
);
export type Instance = Static<typeof Instance>;

export const Index = Type.Object(
  {
    docs: url("The page to read and try the API."),
    document: url("The OpenAPI document."),
    search: url("The article search; takes `q`."),
    instance: url("Name, version and visibility of the community."),
  },
  { title: "ApiIndex", description: "The entry points of the API." },
);
export type Index = Static<typeof Index>;

export const Probe = Type.Object(
  {
    status: Type.Literal("ok", { description: "The result." }),
    database: Type.Optional(
      Type.Literal("read-only", {
        description: "Present while the primary database is away and replicas answer anonymous reads.",
      }),
    ),
  },
  { title: "Probe", description: "The result of a successful probe." },
);
export type Probe = Static<typeof Probe>;

export const INSTANCE_EXAMPLE: Instance = {
  context: null,
  cover_image_url: "https://community.example/assets/social.png",
  description: "People who repair things.",
  display_in_directory: true,
  domain: "community.example",
  logo_image_url: "https://community.example/assets/default-organization-640.png",
  name: "Loom Folk",
  tagline: "Warp and weft",
  version: "0.1.0",
  visibility: "public",
};
