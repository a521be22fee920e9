import { type Static, Type } from "typebox";

const text = (description: string, value: string, maxLength = 200) =>
  Type.String({ description, default: value, maxLength });
const count = (description: string, value: number, minimum = 0) =>
  Type.Integer({ description, default: value, minimum, maximum: 100_000 });
/** Marks settings that only the website reads. */
export const WITH_SITE = "Takes effect with the site, which this version doesn't have.";

/** The community's own settings: kept in the database, changed while it runs. */
export const Settings = Type.Object({
  community_name: Type.String({
    description: "The community's name.",
    default: "Inkstone",
    minLength: 1,
    maxLength: 100,
  }),
  community_description: text("What the community is about.", "A community that writes.", 1_000),
  tagline: text("One line under the name.", ""),
  visibility: Type.Enum(["public", "private"], {
    description: "In a private community only people with a key or a session read anything.",
    default: "public",
  }),
  posting: Type.Enum(["everyone", "admins"], {
    description:
      "Who may write articles. Where it is admins, others change what they have, and publish nothing of it that isn't public yet.",
    default: "everyone",
  }),
  registration: Type.Enum(["open", "invite", "closed"], {
    description: `Who may become a member. ${WITH_SITE}`,
    default: "invite",
  }),
  search_language: Type.Enum(["english", "simple"], {
    description:
      "The language whose inflections search knows (english), or none (simple). A change indexes all articles again, in the background.",
    default: "english",
  }),
  contact_email: Type.String({
    description: "Where people turn to: an address, or nothing.",
    default: "",
    maxLength: 254,
    pattern: "^([^\\s@]+@[^\\s@]+)?$",
  }),
  article_create_limit: count("Published articles a person may create in 30 seconds.", 10, 1),
  article_create_new_account_limit: count(
    `Published articles a person who registered on the site less than 3 days ago may create in 5 minutes. ${WITH_SITE}`,
    2,
    1,
  ),
  article_update_limit: count("Updates of articles a person may make in 30 seconds.", 31, 1),
  image_upload_limit: count("Images a person may upload in 30 seconds.", 10, 1),
  image_quota_megabytes: count("Megabytes of images that a person may keep.", 1_000),
  listing_create_limit: count("Listings a person may create in 60 seconds.", 2, 1),
  organization_create_limit: count(`Organizations a person may create in 5 minutes. ${WITH_SITE}`, 2, 1),
  reaction_create_limit: count(`Reactions a person may give in 30 seconds. ${WITH_SITE}`, 11, 1),
  follow_limit: count(`Follows a person may make in a day. ${WITH_SITE}`, 500),
  page_view_days: count(
    "Days after which it is forgotten which signed-in person viewed an article; the counts stay.",
    400,
  ),
  read_rate: count("Reads per second of one address or key, on average.", 30, 1),
  read_burst: count("Reads at once of one address or key.", 300, 1),
  write_rate: count("Writes per second of one address or key, on average.", 5, 1),
  write_burst: count("Writes at once of one address or key.", 50, 1),
});
export type Settings = Static<typeof Settings>;
export type SettingKey = keyof Settings;

/** What a setting's schema says of it, as JSON Schema. */
export interface Described {
  description: string;
  default: string | number;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

/** All settings with what their schemas say of them, in order. */
export const DESCRIBED = Settings.properties as unknown as Record<SettingKey, Described>;
