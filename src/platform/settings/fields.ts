import { type TSchema, Type } from "typebox";
import type { Field, Values } from "../fields/fields.ts";
import { checkOf, describe, ruleOf, type Schema } from "../fields/schema.ts";
import { LANGUAGES } from "../text/search-languages.ts";

interface Rule {
  rule: string;
  /** The part of a text that is at fault. */
  wrongPart?: (text: string) => string;
}

/** The schema also describes it in answers. */
interface Setting<Value> extends Field<Value>, Rule {
  schema: TSchema & Schema & { description: string; default: Value };
}

function setting<Value extends string | number>(declared: TSchema, rule?: Rule): Setting<Value> {
  const schema = declared as Setting<Value>["schema"];
  const own = rule ?? { rule: ruleOf(schema) };
  const check = checkOf(schema);
  return {
    schema,
    ...own,
    read: (value, report) =>
      check(value, () => "") === undefined
        ? (value as Value)
        : report(`must be ${own.rule}, not ${describe(wrongPart(own, value))}`),
  };
}

export const wrongPart = (rule: Rule, value: unknown): unknown =>
  typeof value === "string" ? (rule.wrongPart?.(value) ?? value) : value;

interface TextBounds {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

function text(
  description: string,
  value: string,
  bounds: TextBounds = { maxLength: 200 },
  rule: Rule = { rule: `a text of ${bounds.minLength ?? 0} to ${bounds.maxLength} characters` },
) {
  return setting<string>(Type.String({ description, default: value, ...bounds }), rule);
}

const page = (path: string) =>
  text(`The page ${path}, in Markdown. Empty: the default text.`, "", { maxLength: 50_000 });

const choice = <const Choice extends string>(values: Choice[], value: NoInfer<Choice>, description: string) =>
  setting<Choice>(Type.Enum(values, { description, default: value }));

const count = (description: string, value: number, minimum = 0, maximum = 100_000) =>
  setting<number>(Type.Integer({ description, default: value, minimum, maximum }));

/** Such as `Tags | /tags`, or blank. */
const LINK = "[^\\S\\n]*([^|\\s][^|\\n]*\\|[^\\S\\n]*(https?://\\S+|/(?!/)\\S*)[^\\S\\n]*)?";
const MAX_LINKS = 2_000;
const IS_LINK = new RegExp(`^${LINK}$`);

const links = (place: string, example: string) =>
  text(
    `The links ${place}, one per line, as in ${example}. Empty: the default links.`,
    "",
    { maxLength: MAX_LINKS, pattern: `^${LINK}(\\n${LINK})*$` },
    {
      rule: `lines such as Tags | /tags or Shop | https://shop.example/, at most ${MAX_LINKS} characters`,
      wrongPart: (lines) => lines.split("\n").find((line) => !IS_LINK.test(line)) ?? lines,
    },
  );

export const FIELDS = {
  community_name: text("The name of the community.", "Inkstone", { minLength: 1, maxLength: 100 }),
  community_description: text("The purpose of the community.", "A community that writes.", {
    maxLength: 1_000,
  }),
  tagline: text("The slogan of the community.", ""),
  first_steps: choice(
    ["shown", "hidden"],
    "shown",
    "Whether /admin shows what is left to do after the set-up.",
  ),
  logo_url: text(
    "The address of the site's logo, a path or an https address. Empty: the first letter of the name. `inkstone settings set logo FILE` uploads an image.",
    "",
    { maxLength: 500, pattern: "^((https://|/(?!/))\\S+)?$" },
    { rule: "a path of an image of this site, an https address, or empty" },
  ),
  accent_color: text(
    "The colour of the site's links and buttons. Each theme makes it lighter or darker until it is readable.",
    "#b3402e",
    { pattern: "^#[0-9a-fA-F]{6}$" },
    { rule: "a colour such as #b3402e" },
  ),
  navigation_links: links("at the top of the site", "Tags | /tags"),
  footer_links: links("at the end of each page", "About | /about"),
  footer_text: text("A sentence at the end of each page.", "", { maxLength: 500 }),
  about_page: page("/about"),
  privacy_page: page("/privacy"),
  terms_page: page("/terms"),
  code_of_conduct_page: page("/code-of-conduct"),
  visibility: choice(
    ["public", "private"],
    "public",
    "With public, everyone can read the community. With private, only members can, signed in or by an API key: strangers are led to the sign-in page, feeds and sitemaps ask for a key, and search engines are kept out.",
  ),
  posting: choice(
    ["everyone", "admins"],
    "everyone",
    "The users who may publish articles. With admins, other users can change their articles but not publish any; what they have published stays.",
  ),
  registration: choice(
    ["open", "approval", "invite", "closed"],
    "invite",
    "How people join: by themselves (open), once an admin or a moderator approves (approval), by an invitation (invite), or by the invitation of an admin alone (closed). A change keeps everyone who has joined.",
  ),
  member_invitations: count("Invitations that each member may make; with 0, only admins invite.", 0, 0, 50),
  require_two_factor: choice(
    ["nobody", "admins", "staff"],
    "nobody",
    "Who must have a second factor to use the site as a member: nobody, admins, or admins and moderators (staff).",
  ),
  search_language: choice(
    [...LANGUAGES, "simple"],
    "english",
    "The language of articles whose own is not sure, and of the site's feeds. The search matches inflections by the language of each article; with simple, it matches none. After a change, all articles are indexed again in the background.",
  ),
  contact_email: text(
    "The e-mail address for questions; may be empty.",
    "",
    { maxLength: 254, pattern: "^([^\\s@]+@[^\\s@]+)?$" },
    { rule: "an e-mail address, or empty" },
  ),
  article_create_limit: count("Published articles per user in 30 seconds.", 10, 1),
  article_create_new_account_limit: count(
    "Published articles per user in 5 minutes, within 3 days of registering on the site.",
    2,
    1,
  ),
  article_update_limit: count("Updates of articles per user in 30 seconds.", 31, 1),
  image_upload_limit: count("Image uploads per user in 30 seconds.", 10, 1),
  image_quota_megabytes: count("Megabytes of images per user.", 1_000),
  listing_create_limit: count("Listings per user in 60 seconds.", 2, 1),
  reaction_create_limit: count("Reactions per user in 30 seconds. Imports have no limit.", 11, 1),
  follow_limit: count("Follows per user in a day. Imports have no limit.", 500),
  page_view_days: count(
    "Days until the names of signed-in readers are removed from views of articles; the counts stay.",
    400,
  ),
  read_rate: count("Reads per second per address or key, on average.", 30, 1),
  read_burst: count("Reads in a burst per address or key.", 300, 1),
  write_rate: count("Writes per second per address or key, on average.", 5, 1),
  write_burst: count("Writes in a burst per address or key.", 50, 1),
};

export type SettingKey = keyof typeof FIELDS;

/** Settings that a form shows together, each group under the first of them. */
export const GROUPS: { [First in SettingKey]?: string } = {
  community_name: "Community",
  logo_url: "Look",
  navigation_links: "Links and texts",
  visibility: "Access",
  search_language: "Language and contact",
  article_create_limit: "Limits of members",
  page_view_days: "Limits of the server",
};
export type Settings = Required<Values<typeof FIELDS>>;

export const Settings = Type.Object(
  Object.fromEntries(Object.entries(FIELDS).map(([key, { schema }]) => [key, schema as TSchema])),
  { title: "CommunitySettings", description: "The settings of the community." },
);
