import { Type } from "typebox";
import { invalid } from "../../platform/errors.ts";
import {
  attributesIn,
  boundedText,
  checkLength,
  type Field,
  type Input,
  isObject,
  readId,
  readMoment,
  readTags,
  type Report,
  requestSchema,
  tooLong,
  type Values,
} from "../../platform/fields/fields.ts";
import { count, orNull, text, textOrNull } from "../../http/schema.ts";
import { MAX_BODY_BYTES } from "../../content/text/render-pool.ts";
import { isHttpUrl } from "../../platform/text/urls.ts";

/** Lists contain a thousand descriptions. */
const MAX_DESCRIPTION = 16_384;
const MAX_TAGS = 4;
/** PostgreSQL bounds entries of the unique index at about 2,700 bytes. */
const MAX_URL_BYTES = 2000;

/** A title of these characters alone shows nothing. */
const INVISIBLE_ONLY = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
const CONTROL_CHARACTER = /[^\P{Cc}\t\n\r]/u;

const ofTextOrNull =
  <Value>(read: (text: string, report: Report) => Value): Field<Value>["read"] =>
  (value, report, name) => {
    if (value !== null && typeof value !== "string") {
      return report(`must be a string, not ${kindOf(value)}`, name, name);
    }
    return read(value ?? "", report);
  };

const ofUrl = (fault: string): Field<string | null>["read"] =>
  ofTextOrNull((url, report) => {
    const address = url.trim();
    if (address === "") return null;
    if (!isHttpUrl(address)) report(fault);
    else if (Buffer.byteLength(address) > MAX_URL_BYTES) {
      report(tooLong(MAX_URL_BYTES, "bytes"));
    }
    return address;
  });

const readPicture = ofUrl("must be an http or https address");

export const NO_BODY = "is missing: give a text, which may be empty";

/** The attributes, in the order in which faults are listed. */
export const FIELDS = {
  title: {
    ...boundedText(
      Type.String({
        maxLength: 128,
        description:
          "The title. A new article needs one, here or in the front matter, which takes precedence.",
      }),
      (title, report, checkLength) => {
        const collapsed = title.replaceAll(/\s+/gu, " ").trim();
        if (CONTROL_CHARACTER.test(title)) report("must not contain control characters");
        else if (INVISIBLE_ONLY.test(collapsed)) report("can't be blank");
        else checkLength(collapsed);
        return collapsed;
      },
      ofTextOrNull,
    ),
    frontMatter: "title",
  },
  body_markdown: {
    schema: Type.String({
      description:
        "The body as Markdown, at most 800 KiB, with optional front matter, which takes precedence over the attributes. Stored and returned byte for byte.",
    }),
    read(value, report, name) {
      if (value === null) return report(NO_BODY);
      return ofTextOrNull((body) => {
        if (Buffer.byteLength(body) > MAX_BODY_BYTES) {
          report(tooLong(MAX_BODY_BYTES, "bytes"));
        }
        return body;
      })(value, report, name);
    },
  } satisfies Field<string>,
  published: {
    schema: Type.Boolean({
      description:
        "Whether the article is published; by default, a new one is a draft. The front matter takes precedence.",
    }),
    frontMatter: "published",
    read(value, report, name) {
      if (typeof value === "boolean") return value;
      return report(`must be true or false, not ${kindOf(value)}`, name, name);
    },
  } satisfies Field<boolean>,
  description: {
    schema: text("A summary. Taken from the body when empty, and in a new article also when absent."),
    frontMatter: "description",
    read: ofTextOrNull((description, report) => {
      checkLength(description, MAX_DESCRIPTION, report);
      return description;
    }),
  },
  tags: {
    schema: Type.Union([Type.Array(Type.String()), Type.String()], {
      description:
        "At most 4 tags of letters and digits: an array, which may be empty, or a string separated by commas.",
    }),
    frontMatter: "tags",
    // Clients send null for what they don't know.
    read: (value, report, name) =>
      value === null ? undefined : readTags(value, report, { max: MAX_TAGS, name }),
  } satisfies Field<string[]>,
  main_image: {
    schema: textOrNull("The URL of the cover image (http or https); empty for none."),
    frontMatter: "cover_image",
    read: readPicture,
  },
  canonical_url: {
    schema: textOrNull(
      "The http or https URL of the original, unique among published articles; empty for none. It is never fetched. A host that readers elsewhere can't reach causes a warning.",
    ),
    frontMatter: "canonical_url",
    read: ofUrl(
      "must be a full http or https address without spaces or credentials, such as https://example.com/post",
    ),
  },
  video_source_url: {
    schema: textOrNull("The URL of a video (http or https); empty for none."),
    frontMatter: "video",
    read: readPicture,
  },
  series: {
    ...boundedText(
      orNull(
        Type.String({
          maxLength: 200,
          description: "The name of the author's series that the article belongs to. Created if it is new.",
        }),
      ),
      (series, _report, checkLength) => {
        checkLength(series.trim());
        return series.trim() || null;
      },
      ofTextOrNull,
    ),
    frontMatter: "series",
  },
  published_at: {
    schema: textOrNull(
      "The publication date. With `published`, or for a scheduled article, a future date schedules it. Ignored, with a warning, once published.",
    ),
    read: (value, report, name) =>
      value === null || value === "" ? undefined : readMoment(value, report, name),
  } satisfies Field<Date>,
  collection_id: {
    schema: orNull(count("The id of a series of the author. `series` takes precedence.")),
    read: (value) => (value === null ? null : readId(value)),
  } satisfies Field<number | null>,
  organization_id: {
    schema: orNull(
      count(
        "The id of the organization to publish for, also as a string. Ignored, with a warning, unless the caller is a member.",
      ),
    ),
    read: readId,
  } satisfies Field<number>,
};
export type ArticleValues = Values<typeof FIELDS>;

const NAMES = ["article"] as const;

export const NewArticle = requestSchema(FIELDS, NAMES, {
  title: "NewArticle",
  description: "An article to create.",
  attributes: "The attributes of the article.",
  required: ["body_markdown"],
  example: {
    title: "Pressing flowers",
    body_markdown: "Choose thin petals.",
    published: true,
    tags: ["beginners"],
  },
});

export const ArticleChange = requestSchema(FIELDS, NAMES, {
  title: "ArticleChange",
  description: "A change of an article.",
  attributes: "The attributes to change; absent ones stay as they are.",
  example: { tags: ["bookbinding", "beginners"] },
});

/** @throws AppError invalid when there are none */
export function unwrap(body: unknown): Input {
  const given = isObject(body) ? body["article"] : undefined;
  if (isObject(given)) return attributesIn(body, NAMES);
  throw invalid(`article param must be a JSON object. You provided article as a ${typeOf(given)}`);
}

function typeOf(value: unknown): string {
  if (value === undefined || value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function kindOf(value: unknown): string {
  const type = typeOf(value);
  return type === "null" ? type : `${/^[ao]/.test(type) ? "an" : "a"} ${type}`;
}
