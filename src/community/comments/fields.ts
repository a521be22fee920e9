import { invalid } from "../../platform/errors.ts";
import { attributesIn, checked, ofText, readId, requestSchema } from "../../platform/fields/fields.ts";
import { count, text } from "../../http/schema.ts";
import { idOf } from "./id-codes.ts";
import { targetOf } from "./reading.ts";

const NAMES = ["comment"] as const;

const asText = ofText((given) => given);
const read: typeof asText = (value, ...more) => (value === null ? undefined : asText(value, ...more));
const body_markdown = { schema: text("The comment as Markdown, at most 25,000 characters."), read };

const FIELDS = {
  body_markdown,
  a_id: { schema: count("The id of the article. Give either this or `p_id`."), read: readId },
  p_id: { schema: count("The id of the podcast episode."), read: readId },
  parent_id_code: { schema: text("The `id_code` of the comment that this one answers."), read },
};

export const NewComment = requestSchema(FIELDS, NAMES, {
  title: "NewComment",
  description: "A comment to create.",
  attributes: "The attributes of the comment.",
  required: ["body_markdown"],
  example: { a_id: 18, body_markdown: "That saved me an *afternoon*.", parent_id_code: "1" },
});

export const CommentChange = requestSchema({ body_markdown }, NAMES, {
  title: "CommentChange",
  description: "A change of a comment.",
  attributes: "The attributes to change.",
  required: ["body_markdown"],
  example: { body_markdown: "That saved me a *whole* afternoon." },
});

/** @throws AppError invalid, not_found for what is no id */
export function readNew(body: unknown) {
  const { body_markdown = "", parent_id_code, ...named } = checked(FIELDS, attributesIn(body, NAMES));
  if (named.a_id === undefined && named.p_id === undefined) {
    throw invalid("a_id or p_id is missing: name the article or the episode");
  }
  const parentId = parent_id_code === undefined ? undefined : (idOf(parent_id_code) ?? 0);
  return { markdown: body_markdown, target: targetOf(named), parentId };
}

/** @throws AppError invalid */
export const readChange = (body: unknown): string =>
  checked({ body_markdown }, attributesIn(body, NAMES)).body_markdown ?? "";
