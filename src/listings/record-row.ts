import type { Selectable } from "kysely";
import { type Static, Type } from "typebox";
import type { Listings } from "../db/tables.ts";
import { invalid } from "../errors.ts";
import { MAX_RECORD_ID } from "../records/identity.ts";
import type { ImportContext } from "../records/record-type.ts";
import type { References } from "../text/references.ts";
import { RENDERER_VERSION } from "../text/renderer-version.ts";
import { derivedSlug, isValidSlug } from "../text/slug.ts";
import { checkBody, checkLocation, checkTags, checkTitle } from "./attributes.ts";
import { FieldFaults } from "./field-faults.ts";
import type { Body } from "./prepared.ts";

const Text = Type.String();
const Moment = Type.String({ format: "date-time" });

/** A listing in a community file. */
export const ListingRecord = Type.Object({
  slug: Type.Optional(Type.String({ minLength: 1 })),
  author: Text,
  title: Text,
  body_markdown: Text,
  category: Text,
  id: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RECORD_ID })),
  organization: Type.Optional(Text),
  tags: Type.Optional(Type.Array(Text)),
  published: Type.Optional(Type.Boolean()),
  location: Type.Optional(Text),
  expires_at: Type.Optional(Moment),
  bumped_at: Type.Optional(Moment),
  created_at: Type.Optional(Moment),
});
export type ListingRecord = Static<typeof ListingRecord>;

/** A record, and what it refers to as the site has it. */
interface Found {
  fields: ListingRecord;
  ids: { author: number; organization: number | undefined; category: number };
  known: {
    /** The preferred names of tags, by all their names. */
    tags: Map<string, { name: string }>;
    /** Users, articles and other things that bodies refer to by name. */
    references: References;
  };
  existing: Selectable<Listings> | undefined;
  context: ImportContext;
}

/**
 * The record's slug, or the one that the same content always gets.
 * @throws AppError invalid
 */
export function slugOf({ slug: given, author, title, created_at }: ListingRecord): string {
  const slug = given ?? derivedSlug({ author, title, createdAt: new Date(created_at ?? 0) }, "listing");
  if (isValidSlug(slug)) return slug;
  throw invalid(
    `slug ${JSON.stringify(slug)} must be of the letters a-z, digits, - and _, and neither a number nor a reserved word`,
  );
}

/**
 * The columns of a record. It describes the whole listing, but for the dates it leaves out.
 * @throws AppError invalid with the reason why it can't be imported
 */
export async function toColumns(found: Found) {
  const { fields, ids, known, existing, context } = found;
  const faults = new FieldFaults();
  const title = checkTitle(fields.title, faults);
  const body = checkBody(fields.body_markdown, faults);
  const location = checkLocation(fields.location ?? "", faults);
  const tags = checkTags(fields.tags ?? [], faults);
  faults.throwIfAny();
  const created_at = moment(fields.created_at) ?? existing?.created_at ?? context.now;
  return {
    author_id: ids.author,
    organization_id: ids.organization ?? null,
    category_id: ids.category,
    title,
    ...(await bodyOf(body, found)),
    tag_list: [...new Set(tags.map((name) => known.tags.get(name)?.name ?? name))],
    location,
    published: fields.published ?? existing?.published ?? true,
    expires_at: moment(fields.expires_at),
    bumped_at: moment(fields.bumped_at) ?? existing?.bumped_at ?? created_at,
    created_at,
  };
}

/** Rendered only when the site doesn't have it yet. */
async function bodyOf(markdown: string, { known, existing, context }: Found): Promise<Body> {
  if (existing?.body_markdown === markdown && existing.renderer_version === RENDERER_VERSION) {
    const { body_markdown, body_html, renderer_version } = existing;
    return { body_markdown, body_html, renderer_version };
  }
  const { html } = await context.renderPool.render(markdown, { references: known.references });
  return { body_markdown: markdown, body_html: html, renderer_version: RENDERER_VERSION };
}

function moment(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text);
}
