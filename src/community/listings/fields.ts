import { Type } from "typebox";
import {
  attributesIn,
  boundedText,
  type Field,
  type Input,
  ofText,
  readId,
  readMoment,
  readTags,
  requestSchema,
} from "../../platform/fields/fields.ts";
import { count, orNull, textOrNull } from "../../http/schema.ts";

const MAX_LINE_BREAKS = 12;
const MAX_TAGS = 8;

const tags: Field<string[]> = {
  schema: Type.Union([Type.Array(Type.String()), Type.String(), Type.Null()], {
    description:
      "At most 8 tags of letters and digits: an array, or a string separated by commas. `tags` takes precedence over `tag_list`.",
  }),
  read: (value, report) => readTags(value, report, { max: MAX_TAGS, name: "tag_list" }),
};

export const FIELDS = {
  title: boundedText(
    orNull(Type.String({ maxLength: 128, description: "The title." })),
    (title, report, checkLength) => {
      const collapsed = title.replaceAll(/\s+/gu, " ").trim();
      if (collapsed === "") report("can't be blank");
      checkLength(collapsed);
      return collapsed;
    },
  ),
  body_markdown: boundedText(
    orNull(
      Type.String({
        maxLength: 400,
        description: "The body as Markdown, with at most 12 line breaks and without images or `{% %}` tags.",
      }),
    ),
    (body, report, checkLength) => {
      if (body.trim() === "") report("can't be blank");
      checkLength(body);
      if ((body.match(/\r\n|[\r\n]/g)?.length ?? 0) > MAX_LINE_BREAKS) {
        report(`has too many linebreaks. No more than ${MAX_LINE_BREAKS} allowed.`);
      }
      if (/!\[|<img\b/i.test(body)) report("is not allowed to include images.");
      if (body.includes("{%")) report("is not allowed to include liquid tags.");
      return body;
    },
  ),
  category: {
    schema: textOrNull("The slug of the category."),
    read: (value) => (typeof value === "string" ? value : ""),
  } satisfies Field<string>,
  listing_category_id: {
    schema: orNull(count("The id of the category. `category` takes precedence.")),
    read: readId,
  } satisfies Field<number>,
  tags,
  tag_list: tags,
  location: boundedText(
    orNull(
      Type.String({
        maxLength: 32,
        description: "The place that the listing is about; empty for none.",
      }),
    ),
    (location, _report, checkLength) => {
      checkLength(location.trim());
      return location.trim() || null;
    },
  ),
  expires_at: {
    schema: textOrNull("When the listing expires and disappears from lists; empty for never."),
    read: ofText((moment, report, name) => (moment.trim() === "" ? null : readMoment(moment, report, name))),
  },
  organization_id: {
    schema: orNull(count("The id of an organization that the caller is a member of, also as a string.")),
    read(value, report) {
      const id = readId(value);
      return Number.isNaN(id) ? report("must be the number of an organization, such as 3") : id;
    },
  } satisfies Field<number>,
};

const CREATE_ACTIONS = ["draft", "publish"] as const;
const CHANGE_ACTIONS = ["publish", "unpublish", "bump"] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** The action of a request; undefined when it names none. */
const action = <Action extends string>(known: readonly Action[], description: string): Field<Action> => ({
  schema: Type.Enum([...known], { description }),
  read(value, report) {
    const found = known.find((one) => one === value);
    if (found === undefined && value !== "") report(`must be one of ${known.join(", ")}`);
    return found;
  },
});

export const CREATE_FIELDS = {
  ...FIELDS,
  action: action(CREATE_ACTIONS, "`draft` keeps the listing unpublished. The default is `publish`."),
};

export const CHANGE_FIELDS = {
  ...FIELDS,
  action: action(
    CHANGE_ACTIONS,
    "An action, which ignores the other attributes. `bump` moves the listing to the top, at most once in 24 hours.",
  ),
};

/** Old clients send the attributes under the second name. */
const NAMES = ["listing", "classified_listing"] as const;

export const NewListing = requestSchema(CREATE_FIELDS, NAMES, {
  title: "NewListing",
  description: "A listing to create.",
  attributes: "The attributes of the listing.",
  required: ["title", "body_markdown"],
  example: {
    title: "Paper press to lend",
    body_markdown: "For an afternoon.",
    category: "misc",
    tags: ["bookbinding"],
  },
});

export const ListingChange = requestSchema(CHANGE_FIELDS, NAMES, {
  title: "ListingChange",
  description: "A change of a listing.",
  attributes: "The attributes to change; absent and null ones stay as they are.",
  example: { location: "Tbilisi" },
});

/**
 * The attributes in the body of a request, without those that are null.
 * @throws AppError invalid when there are none
 */
export function unwrap(body: unknown): Input {
  const { tags: names = null, tag_list = null, ...others } = attributesIn(body, NAMES);
  const said = Object.entries({ ...others, tags: names ?? tag_list }).filter(([, value]) => value !== null);
  return Object.fromEntries(said);
}
