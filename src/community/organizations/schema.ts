import { type Static, Type } from "typebox";
import { count, listPage, orNull, text, textOrNull, timestamp, url } from "../../http/schema.ts";

const common = {
  id: count("The id of the organization."),
  name: text("The display name."),
  profile_image: url("The URL of the logo, 640 by 640 pixels."),
  summary: textOrNull("A short description."),
  tag_line: textOrNull("A slogan."),
  url: orNull(url("The URL of the organization's website.")),
};

export const Owner = Type.Object(
  {
    name: common.name,
    username: text("The name in URLs."),
    slug: text("The same as `username`."),
    profile_image: common.profile_image,
    profile_image_90: url("The URL of the logo, 90 by 90 pixels."),
  },
  { title: "Owner", description: "The organization that something belongs to." },
);

export const Organization = Type.Object(
  {
    type_of: Type.Literal("organization", { description: "The type of the resource." }),
    ...common,
    username: text("The name in URLs."),
    microblog_username: textOrNull("The username on a microblogging service."),
    codehost_username: textOrNull("The username on a code hosting service."),
    location: textOrNull("Where the organization is based."),
    tech_stack: textOrNull("The technologies that the organization uses."),
    story: textOrNull("The history of the organization."),
    joined_at: timestamp("When the organization was created."),
  },
  { title: "Organization", description: "An organization with its profile." },
);
export type Organization = Static<typeof Organization>;

export const OrganizationSummary = Type.Object(
  {
    ...common,
    slug: text("The username."),
  },
  { title: "OrganizationSummary", description: "An organization in a list." },
);
export type OrganizationSummary = Static<typeof OrganizationSummary>;

export const OrganizationList = Type.Object(listPage({ default: 30, max: 1000 }));

export const OrganizationName = Type.Object({
  username: Type.String({
    description: "The username of the organization, in any case, or its id.",
    examples: ["tinker_lab"],
  }),
});

export const ORGANIZATION_EXAMPLE: Organization = {
  type_of: "organization",
  id: 1,
  username: "tinker_lab",
  name: "Tinker Lab",
  summary: "A shared workshop with four benches, one kiln and an open evening every Thursday.",
  microblog_username: null,
  codehost_username: null,
  url: "https://tinkerlab.example/",
  location: "Tbilisi and elsewhere",
  tech_stack: null,
  tag_line: "Bring it broken, take it home understood.",
  story: null,
  joined_at: "2022-03-10T18:00:00Z",
  profile_image: "https://community.example/assets/identicons/organization-1-640.png",
};

export const SUMMARY_EXAMPLE: OrganizationSummary = {
  id: ORGANIZATION_EXAMPLE.id,
  name: ORGANIZATION_EXAMPLE.name,
  profile_image: ORGANIZATION_EXAMPLE.profile_image,
  slug: ORGANIZATION_EXAMPLE.username,
  summary: ORGANIZATION_EXAMPLE.summary,
  tag_line: ORGANIZATION_EXAMPLE.tag_line,
  url: ORGANIZATION_EXAMPLE.url,
};
