import { Type } from "typebox";
import { findReferences } from "../articles/rendering.ts";
import { differs } from "../../platform/db/rows.ts";
import { createErrors, readFields } from "../../platform/fields/fields.ts";
import * as organizations from "../organizations/organizations.ts";
import { givenOf, recordType } from "../records/driver.ts";
import { byId } from "../records/pages.ts";
import { Id, Moment, OptionalText, Text } from "../records/schema.ts";
import * as tags from "../tags/tags.ts";
import { htmlOf, RENDERER_VERSION } from "../../platform/jobs/rerender.ts";
import { recordSlug } from "../../content/text/slug.ts";
import { parseTagList } from "../../platform/text/tags.ts";
import * as users from "../users/users.ts";
import { FIELDS } from "./fields.ts";
import * as queries from "./queries.ts";

const ListingRecord = Type.Object({
  slug: Type.Optional(Type.String({ minLength: 1 })),
  author: Text,
  title: Text,
  body_markdown: Text,
  category: Text,
  id: Id,
  organization: OptionalText,
  tags: Type.Optional(Type.Array(Type.String())),
  published: Type.Optional(Type.Boolean()),
  location: OptionalText,
  expires_at: Moment,
  bumped_at: Moment,
  created_at: Moment,
});

const momentOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

/** A record describes the whole listing, but an omitted `published`, `bumped_at` or `created_at` stays. */
export const listingRecords = recordType({
  type: "listing",
  schema: ListingRecord,
  keyOf: ({ slug, title }) => slug ?? title,
  table: "listings",
  references: {
    author: users.byUsername,
    organization: organizations.byUsername,
    category: { find: queries.categoryIds, spell: (slug) => slug.toLowerCase() },
  },
  lookUp: async (tx, records, { renderPool }) => {
    const bodies = records.map(({ fields }) => fields.body_markdown);
    const names = new Set(records.flatMap(({ fields }) => parseTagList(fields.tags ?? [])));
    return {
      tags: await tags.known(tx, [...names]),
      references: await findReferences(tx, bodies, renderPool),
    };
  },
  key: ({ fields }) => ({ slug: recordSlug(fields, "listing") }),
  locks: true,
  columns: async ({ fields, ids, known, existing, context }) => {
    const errors = createErrors();
    const empty = { tags: [], location: "", expires_at: "" };
    const values = readFields(FIELDS, { ...empty, ...fields }, errors);
    errors.throwIfAny((sentences) => sentences.join(", "));
    const { title = "", body_markdown = "", tags: names = [], location = null, expires_at = null } = values;
    const created_at = momentOf(fields.created_at) ?? existing?.created_at ?? context.now;
    return {
      title,
      body_markdown,
      location,
      expires_at,
      author_id: ids.author,
      organization_id: ids.organization ?? null,
      category_id: ids.category,
      body_html: await htmlOf(existing, body_markdown, () =>
        context.renderPool.render(body_markdown, { references: known.references }),
      ),
      renderer_version: RENDERER_VERSION,
      tag_list: [...new Set(names.map((name) => known.tags.get(name)?.name ?? name))],
      published: fields.published ?? existing?.published ?? true,
      bumped_at: momentOf(fields.bumped_at) ?? existing?.bumped_at ?? created_at,
      created_at,
    };
  },
  read: byId(queries.listAfter, ({ tag_list: tags, ...row }) => ({
    ...row,
    tags: tags.length > 0 ? tags : undefined,
  })),
});

const CategoryRecord = Type.Object({
  slug: Type.String({
    pattern: "^[0-9a-z_-]{1,50}$",
    "x-rule": "1 to 50 of the letters a-z, digits, - and _",
  }),
  name: Type.String({ minLength: 1, maxLength: 100 }),
  id: Id,
  position: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
});

/** Every site has some from the start. */
export const categoryRecords = recordType({
  type: "listing_category",
  schema: CategoryRecord,
  keyOf: ({ slug }) => slug,
  table: "listing_categories",
  key: ({ fields }) => ({ slug: fields.slug }),
  locks: true,
  columns: ({ fields: { name, position }, existing }) => {
    const columns = { name, ...givenOf({ position }, { position: Number }) };
    const isChanged = existing !== undefined && differs(existing, columns);
    return isChanged ? { ...columns, standard: false } : columns;
  },
  read: async function* (db) {
    yield* await queries.listOwnCategories(db);
  },
});
