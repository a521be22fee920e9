import { type Static, Type } from "typebox";

const text = (description: string, value: string, maxLength = 200) =>
  Type.String({ description, default: value, maxLength });
const count = (description: string, value: number, minimum = 0) =>
  Type.Integer({ description, default: value, minimum, maximum: 100_000 });
export const WITH_SITE = "Takes effect with accounts on the site, which this version doesn't have.";

/** Such as `Tags | /tags`, or blank. */
const LINK = "[^\\S\\n]*([^|\\s][^|\\n]*\\|[^\\S\\n]*(https?://\\S+|/(?!/)\\S*)[^\\S\\n]*)?";
const IS_LINK = new RegExp(`^${LINK}$`);

/** The first line that isn't a link. */
export function malformedLink(lines: string): string | undefined {
  return lines.split("\n").find((line) => !IS_LINK.test(line));
}

export const Settings = Type.Object(
  {
    community_name: Type.String({
      description: "The name of the community.",
      default: "Inkstone",
      minLength: 1,
      maxLength: 100,
    }),
    community_description: text("The purpose of the community.", "A community that writes.", 1_000),
    tagline: text("The slogan of the community.", ""),
    logo_url: Type.String({
      description:
        "The address of the site's logo, a path or an https address. Empty: the first letter of the name. `inkstone settings set logo FILE` uploads an image.",
      default: "",
      maxLength: 500,
      pattern: "^((https://|/(?!/))\\S+)?$",
    }),
    accent_color: Type.String({
      description:
        "The colour of the site's links and buttons. Each theme makes it lighter or darker until it is readable.",
      default: "#b3402e",
      pattern: "^#[0-9a-fA-F]{6}$",
    }),
    navigation_links: Type.String({
      description:
        "The links at the top of the site, one per line, as in Tags | /tags. Empty: the default links.",
      default: "",
      maxLength: 2_000,
      pattern: `^${LINK}(\\n${LINK})*$`,
    }),
    footer_text: text("A sentence at the end of each page.", "", 500),
    about_page: text("The page /about, in Markdown. Empty: the default text.", "", 50_000),
    privacy_page: text("The page /privacy, in Markdown. Empty: the default text.", "", 50_000),
    terms_page: text("The page /terms, in Markdown. Empty: the default text.", "", 50_000),
    code_of_conduct_page: text(
      "The page /code-of-conduct, in Markdown. Empty: the default text.",
      "",
      50_000,
    ),
    visibility: Type.Enum(["public", "private"], {
      description:
        "With public, everyone can read the community. With private, only requests with an API key can.",
      default: "public",
    }),
    posting: Type.Enum(["everyone", "admins"], {
      description:
        "The users who may publish articles. With admins, other users can change their articles but not publish any.",
      default: "everyone",
    }),
    registration: Type.Enum(["open", "invite", "closed"], {
      description: `How new members join. ${WITH_SITE}`,
      default: "invite",
    }),
    search_language: Type.Enum(["english", "simple"], {
      description:
        "The language whose inflections the search matches: english, or none (simple). After a change, all articles are indexed again in the background.",
      default: "english",
    }),
    contact_email: Type.String({
      description: "The e-mail address for questions; may be empty.",
      default: "",
      maxLength: 254,
      pattern: "^([^\\s@]+@[^\\s@]+)?$",
    }),
    article_create_limit: count("Published articles per user in 30 seconds.", 10, 1),
    article_create_new_account_limit: count(
      `Published articles per user in 5 minutes, within 3 days of registering on the site. ${WITH_SITE}`,
      2,
      1,
    ),
    article_update_limit: count("Updates of articles per user in 30 seconds.", 31, 1),
    image_upload_limit: count("Image uploads per user in 30 seconds.", 10, 1),
    image_quota_megabytes: count("Megabytes of images per user.", 1_000),
    listing_create_limit: count("Listings per user in 60 seconds.", 2, 1),
    organization_create_limit: count(`Organizations per user in 5 minutes. ${WITH_SITE}`, 2, 1),
    reaction_create_limit: count(`Reactions per user in 30 seconds. ${WITH_SITE}`, 11, 1),
    follow_limit: count(`Follows per user in a day. ${WITH_SITE}`, 500),
    page_view_days: count(
      "Days until the names of signed-in readers are removed from views of articles; the counts stay.",
      400,
    ),
    read_rate: count("Reads per second per address or key, on average.", 30, 1),
    read_burst: count("Reads in a burst per address or key.", 300, 1),
    write_rate: count("Writes per second per address or key, on average.", 5, 1),
    write_burst: count("Writes in a burst per address or key.", 50, 1),
  },
  { title: "CommunitySettings", description: "The settings of the community." },
);
export type Settings = Static<typeof Settings>;
export type SettingKey = keyof Settings;

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

export const DESCRIBED = Settings.properties as unknown as Record<SettingKey, Described>;
