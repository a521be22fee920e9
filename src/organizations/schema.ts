import { type Static, Type } from "typebox";
import { listPage, orNull, Timestamp, Url } from "../http/schema.ts";

const Nullable = orNull(Type.String());

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

/** An organization with what it says of itself. */
export const Organization = Type.Object(
  {
    type_of: Type.Literal("organization"),
    id: Type.Integer(),
    username: Type.String({ description: "The name in addresses." }),
    name: Type.String({ description: "The display name." }),
    summary: Nullable,
    microblog_username: Nullable,
    codehost_username: Nullable,
    url: orNull(Url),
    location: Nullable,
    tech_stack: Nullable,
    tag_line: Nullable,
    story: Nullable,
    joined_at: Timestamp,
    profile_image: Type.String({ format: "uri", description: "A picture of 640 by 640 pixels." }),
  },
  { title: "Organization" },
);
export type Organization = Static<typeof Organization>;

/** An organization in a list. */
export const OrganizationSummary = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String({ description: "The display name." }),
    profile_image: Type.String({ format: "uri", description: "A picture of 640 by 640 pixels." }),
    slug: Type.String({ description: "The username." }),
    summary: Nullable,
    tag_line: Nullable,
    url: orNull(Url),
  },
  { title: "OrganizationSummary" },
);
export type OrganizationSummary = Static<typeof OrganizationSummary>;

export const OrganizationList = Type.Object(listPage({ default: 30, max: 1000 }));

export const OrganizationName = Type.Object({
  username: Type.String({
    description: "The username of an organization in any case, or else its number.",
    examples: ["tinkerlab"],
  }),
});
