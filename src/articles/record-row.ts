import { invalid } from "../errors.ts";
import type { Entry, ImportContext } from "../records/record-type.ts";
import { describe } from "../text/description.ts";
import { type FrontMatter, parseFrontMatter } from "../text/front-matter.ts";
import { RENDERER_VERSION } from "../text/renderer-version.ts";
import type { References } from "../text/references.ts";
import { isValidSlug } from "../text/slug.ts";
import { videoPicture } from "../text/video-picture.ts";
import { checkedCanonicalUrl, checkedTags, checkedTitle, checkedUrl } from "./attributes.ts";
import { renderBody } from "./rendering.ts";
import { type ArticleRecord, MAX_BROUGHT } from "./record-schema.ts";
import { type Columns, type Existing, slugOf } from "./record-store.ts";

/** What the records of a batch refer to, as the site has it. */
export interface Known {
  authors: Map<string, { id: number; name: string }>;
  organizations: Map<string, number>;
  existing: Map<string, Existing>;
  /** What the bodies refer to. */
  references: References;
}

/** A record on its way into the database. */
export interface Row {
  entry: Entry<ArticleRecord>;
  wantedId: number | undefined;
  existing: Existing | undefined;
  series: string | null;
  columns: Columns;
}

/**
 * What a record becomes. Its own fields win over the front matter of its body; what neither says is
 * as the site has it where it can't be derived, else as for a new article.
 * @throws AppError invalid with the reason why it can't be imported
 */
export async function toRow(entry: Entry<ArticleRecord>, known: Known, context: ImportContext): Promise<Row> {
  const { fields } = entry;
  const { attributes, body } = parseFrontMatter(fields.body_markdown);
  const author = known.authors.get(fields.author.toLowerCase());
  if (!author)
    throw invalid(`author ${JSON.stringify(fields.author)} is not a user of the site or of an earlier line`);
  const slug = slugOf(fields);
  if (!isValidSlug(slug)) {
    throw invalid(
      `slug ${JSON.stringify(slug)} must be of the letters a-z, digits, - and _, and neither a number nor a reserved word`,
    );
  }
  const existing = known.existing.get(slug);
  const publication = publicationOf(fields, attributes, { existing, now: context.now });
  const columns: Columns = {
    slug,
    author_id: author.id,
    organization_id: organizationOf(fields, known),
    collection_id: null,
    title: checkedTitle(fields.title),
    ...(await bodyOf(fields, attributes, {
      body,
      existing,
      authorName: author.name,
      references: known.references,
      renderPool: context.renderPool,
    })),
    tag_list: checkedTags(fields.tags ?? attributes.tags ?? []),
    canonical_url: checkedCanonicalUrl(fields.canonical_url ?? attributes.canonical_url),
    main_image: checkedUrl("main_image", fields.main_image ?? attributes.cover_image),
    ...videoOf(fields, attributes),
    ...publication,
    created_at:
      moment(fields.created_at) ?? existing?.created_at ?? startOf(publication.published_at, context.now),
    edited_at: moment(fields.edited_at),
    crossposted_at: moment(fields.crossposted_at),
    imported_reactions_count: fields.imported_reactions_count ?? 0,
    imported_page_views_count: fields.imported_page_views_count ?? 0,
    points: pointsOf(fields, existing),
  };
  return {
    entry,
    wantedId: fields.id,
    existing,
    series: (fields.series ?? attributes.series)?.trim() || null,
    columns,
  };
}

function videoOf(fields: ArticleRecord, attributes: FrontMatter) {
  const source = checkedUrl("video_source_url", fields.video_source_url ?? attributes.video);
  return {
    video_source_url: source,
    video_thumbnail_url:
      checkedUrl("video_thumbnail_url", fields.video_thumbnail_url) ?? videoPicture(source),
    video_duration_seconds: fields.video_duration_seconds ?? null,
  };
}

function organizationOf({ organization }: ArticleRecord, known: Known): number | null {
  if (organization === undefined) return null;
  const id = known.organizations.get(organization.toLowerCase());
  if (id === undefined) {
    throw invalid(
      `organization ${JSON.stringify(organization)} is not one of the site or of an earlier line`,
    );
  }
  return id;
}

interface BodyOptions {
  /** What follows the front matter. */
  body: string;
  existing: Existing | undefined;
  authorName: string;
  references: References;
  renderPool: ImportContext["renderPool"];
}

/** The body and what is derived from it; rendered only when the site doesn't have it yet. */
async function bodyOf(
  fields: ArticleRecord,
  attributes: FrontMatter,
  { body, existing, authorName, references, renderPool }: BodyOptions,
) {
  const given = (fields.description ?? attributes.description)?.trim();
  if (existing?.body_markdown === fields.body_markdown && existing.renderer_version === RENDERER_VERSION) {
    const { body_markdown, body_html, renderer_version, reading_time_minutes } = existing;
    return {
      body_markdown,
      body_html,
      renderer_version,
      reading_time_minutes,
      description: given || existing.description,
    };
  }
  const rendered = await renderBody(renderPool, { markdown: fields.body_markdown, body }, references);
  return {
    body_markdown: fields.body_markdown,
    body_html: rendered.html,
    renderer_version: RENDERER_VERSION,
    reading_time_minutes: rendered.readingMinutes,
    description: given || describe(rendered.text, authorName),
  };
}

/** State and date of publication: a date to come means scheduled, and unpublished articles keep their first one. */
function publicationOf(
  fields: ArticleRecord,
  attributes: FrontMatter,
  { existing, now }: { existing: Existing | undefined; now: Date },
) {
  const own = moment(fields.published_at) ?? moment(fields.first_published_at);
  if (!(fields.published ?? attributes.published ?? true)) {
    const first = own ?? existing?.published_at ?? null;
    return { state: first === null || first > now ? "draft" : "unpublished", published_at: first };
  }
  const publishedAt =
    own ?? attributes.published_at ?? readable(attributes.date) ?? existing?.published_at ?? now;
  return { state: publishedAt > now ? "scheduled" : "published", published_at: publishedAt };
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

/** A new article whose record doesn't say when it was created is as old as its publication. */
function startOf(publishedAt: Date | null, now: Date): Date {
  return publishedAt && publishedAt < now ? publishedAt : now;
}

function moment(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text);
}

/** What is forgiven of one who writes would here give an old article the date of today. */
function readable(date: FrontMatter["date"]): Date | null | undefined {
  if (date !== "unreadable") return date;
  throw invalid("The date in the front matter of body_markdown can't be read: give published_at beside it");
}
