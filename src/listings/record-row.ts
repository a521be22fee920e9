import type { Selectable } from "kysely";
import { type Static, Type } from "typebox";
import type { Listings } from "../db/tables.ts";
import { invalid } from "../errors.ts";
import { MAX_RECORD_ID } from "../records/identity.ts";
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

export type Columns = Omit<Selectable<Listings>, "id" | "has_expired">;
export type Existing = Selectable<Listings>;

/** What the records of a batch refer to, as the site has it. */
export interface Known {
  authors: Map<string, number>;
  organizations: Map<string, number>;
  categories: Map<string, number>;
  existing: Map<string, Existing>;
  /** The preferred names of tags, by all their names. */
  tags: Map<string, { name: string }>;
}

/** The record's slug, or the one that the same content always gets. */
export function slugOf({ slug, author, title, created_at }: ListingRecord): string {
  return slug ?? derivedSlug({ author, title, createdAt: new Date(created_at ?? 0) }, "listing");
}

interface Making {
  known: Known;
  now: Date;
  render: (markdown: string) => Promise<Body>;
}

/**
 * What a record becomes. It is the whole of the listing, but for the dates it leaves out.
 * @throws AppError invalid with the reason why it can't be imported
 */
export async function toColumns(fields: ListingRecord, { known, now, render }: Making): Promise<Columns> {
  const slug = slugOf(fields);
  if (!isValidSlug(slug)) {
    throw invalid(
      `slug ${JSON.stringify(slug)} must be of the letters a-z, digits, - and _, and neither a number nor a reserved word`,
    );
  }
  const references = referencesOf(fields, known);
  const faults = new FieldFaults();
  const title = checkTitle(fields.title, faults);
  const body = checkBody(fields.body_markdown, faults);
  const location = checkLocation(fields.location ?? "", faults);
  const tags = checkTags(fields.tags ?? [], faults);
  faults.throwIfAny();
  const existing = known.existing.get(slug);
  const created_at = moment(fields.created_at) ?? existing?.created_at ?? now;
  return {
    slug,
    ...references,
    title,
    ...(await bodyOf(body, { existing, render })),
    tag_list: [...new Set(tags.map((name) => known.tags.get(name)?.name ?? name))],
    location,
    published: fields.published ?? existing?.published ?? true,
    expires_at: moment(fields.expires_at),
    bumped_at: moment(fields.bumped_at) ?? existing?.bumped_at ?? created_at,
    created_at,
  };
}

function referencesOf({ author, organization, category }: ListingRecord, known: Known) {
  const author_id = known.authors.get(author.toLowerCase());
  if (author_id === undefined)
    throw invalid(`author ${JSON.stringify(author)} is not a user of the site or of an earlier line`);
  const organization_id = organization && known.organizations.get(organization.toLowerCase());
  if (organization !== undefined && typeof organization_id !== "number") {
    throw invalid(
      `organization ${JSON.stringify(organization)} is not one of the site or of an earlier line`,
    );
  }
  const category_id = known.categories.get(category.toLowerCase());
  if (category_id === undefined) {
    throw invalid(`category ${JSON.stringify(category)} is not one of the site or of an earlier line`);
  }
  return { author_id, organization_id: organization_id || null, category_id };
}

/** Rendered only when the site doesn't have it yet. */
async function bodyOf(
  markdown: string,
  { existing, render }: Pick<Making, "render"> & { existing: Existing | undefined },
): Promise<Body> {
  if (existing?.body_markdown !== markdown || existing.renderer_version !== RENDERER_VERSION) {
    return render(markdown);
  }
  const { body_markdown, body_html, renderer_version } = existing;
  return { body_markdown, body_html, renderer_version };
}

function moment(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text);
}
