import type { Insertable, Selectable } from "kysely";
import { type Static, Type } from "typebox";
import type { Articles } from "../../platform/db/tables.ts";
import { invalid } from "../../platform/errors.ts";
import { readField } from "../../platform/fields/fields.ts";
import type { RecordRow } from "../records/declaration.ts";
import type { ImportContext } from "../records/record-type.ts";
import { Id, Moment, OptionalText, Text } from "../records/schema.ts";
import { RENDERER_VERSION } from "../../platform/jobs/rerender.ts";
import { videoPicture } from "../../content/text/embeds/services.ts";
import { compose } from "./compose.ts";
import { FIELDS } from "./fields.ts";
import { recorded } from "./publication-status.ts";
import { frontMatterOf, renderedBody, type RenderContext } from "./record-bodies.ts";

/** Later counts are added, and the sum must fit 32 bits. */
const MAX_BROUGHT = 1_000_000_000;
const Count = Type.Integer({ minimum: 0, maximum: MAX_BROUGHT });

export const ArticleRecord = Type.Object({
  slug: Type.Optional(Type.String({ minLength: 1 })),
  author: Text,
  title: Text,
  body_markdown: Text,
  id: Id,
  organization: OptionalText,
  description: OptionalText,
  tags: Type.Optional(Type.Array(Text)),
  series: OptionalText,
  canonical_url: OptionalText,
  main_image: OptionalText,
  published: Type.Optional(Type.Boolean()),
  published_at: Moment,
  first_published_at: Moment,
  unpublish_reason: OptionalText,
  created_at: Moment,
  edited_at: Moment,
  crossposted_at: Moment,
  video_source_url: OptionalText,
  video_thumbnail_url: OptionalText,
  video_duration_seconds: Type.Optional(Count),
  imported_reactions_count: Type.Optional(Count),
  imported_page_views_count: Type.Optional(Count),
  score: Type.Optional(Type.Integer({ minimum: -MAX_BROUGHT, maximum: 2 * MAX_BROUGHT })),
});
export type ArticleRecord = Static<typeof ArticleRecord>;

export type Existing = Selectable<Articles>;
type Columns = Partial<Insertable<Articles>>;
export type ImportedArticle = RecordRow<ArticleRecord, Columns, Existing>;

interface Source {
  fields: ArticleRecord;
  ids: { author: number; organization: number | undefined };
  known: {
    authors: Map<string, { name: string }>;
    renderContext: RenderContext;
  };
  existing: Existing | undefined;
  context: ImportContext;
}

export function seriesOf(fields: ArticleRecord): string | undefined {
  return (fields.series ?? frontMatterOf(fields).attributes.series)?.trim() || undefined;
}

/** Fields win over front matter. Absent ones stay, or are as in a new article. */
export async function toColumns({ fields, ids, known, existing, context }: Source) {
  const { attributes } = frontMatterOf(fields);
  const video = pictureOf("video_source_url", fields.video_source_url ?? attributes.video);
  const status = recorded(existing, {
    isPublished: fields.published ?? attributes.published ?? true,
    own: moment(fields.published_at) ?? moment(fields.first_published_at),
    date: attributes.published_at ?? attributes.date,
    unpublishReason: fields.unpublish_reason,
    now: context.now,
  });
  const { published_at } = status;
  const isOut = published_at !== null && published_at < context.now;
  const title = readField(FIELDS.title, fields.title, "title");
  const isStored =
    existing?.body_markdown === fields.body_markdown && existing.renderer_version === RENDERER_VERSION;
  const body = isStored ? undefined : await renderedBody(fields, known.renderContext, context);
  const tag_list = readField(FIELDS.tags, fields.tags ?? attributes.tags ?? [], "tags");
  const description = fields.description ?? attributes.description;
  const canonical = fields.canonical_url ?? attributes.canonical_url ?? null;
  const given = {
    title,
    // A new body makes a new description, and a stored one keeps its own.
    description: body ? (description ?? "") : description?.trim() || undefined,
    canonical_url: readField(FIELDS.canonical_url, canonical, "canonical_url"),
    main_image: pictureOf("main_image", fields.main_image ?? attributes.cover_image),
  };
  const authorName = known.authors.get(fields.author.toLowerCase())?.name ?? "";
  return {
    author_id: ids.author,
    organization_id: ids.organization ?? null,
    ...compose(given, { existing, body, authorName }),
    tag_list,
    video_source_url: video,
    video_thumbnail_url: pictureOf("video_thumbnail_url", fields.video_thumbnail_url) ?? videoPicture(video),
    video_duration_seconds: fields.video_duration_seconds ?? null,
    ...status,
    deleted_at: null,
    deleted_from: null,
    // A new article is at most as old as its publication.
    created_at: moment(fields.created_at) ?? existing?.created_at ?? (isOut ? published_at : context.now),
    edited_at: moment(fields.edited_at),
    crossposted_at: moment(fields.crossposted_at),
    imported_reactions_count: fields.imported_reactions_count ?? 0,
    imported_page_views_count: fields.imported_page_views_count ?? 0,
    points: pointsOf(fields, existing),
  };
}

/** Refusals name the key of the record. */
function pictureOf(key: string, url: string | null | undefined): string | null {
  return readField(FIELDS.main_image, url ?? null, key, key);
}

/** A record's score is without the reactions that are records themselves. */
function pointsOf(
  { score, imported_reactions_count: imported = 0 }: ArticleRecord,
  existing: Existing | undefined,
): number {
  if (score === undefined) return existing?.points ?? 0;
  const points = score - imported;
  if (Math.abs(points) <= MAX_BROUGHT) return points;
  throw invalid(`score must be within ${MAX_BROUGHT} of imported_reactions_count, not ${score}`);
}

function moment(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text);
}
