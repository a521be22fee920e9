import { createHash } from "node:crypto";
import type { Card } from "../../content/images/draw-card.ts";
import { CARD_VERSION } from "../../content/images/images.ts";
import * as organizationView from "../organizations/view.ts";
import { articlePath, assetPath, cardPath } from "../../platform/paths.ts";
import { readableDate, timestamp } from "../../platform/text/dates.ts";
import * as userView from "../users/view.ts";
import type { OwnRow } from "./own-list.ts";
import { isClaimed } from "./publication-status.ts";
import type { FullRow, SummaryRow } from "./queries.ts";
import { type Article, type ArticleSummary, OwnArticle, type VideoArticle } from "./schema.ts";

/** Addresses begin with the base URL; dates may depend on the time. */
export interface ViewOptions {
  baseUrl: string;
  now: Date;
}

const NO_COMMENT = "2017-01-01T05:00:00Z";

export function summary(row: SummaryRow, options: ViewOptions): ArticleSummary {
  return {
    ...common(row, options),
    tag_list: row.tag_list,
    tags: row.tag_list.join(", "),
    ...people(row, options),
  };
}

/** Single articles swap `tag_list` and `tags` against lists: clients depend on it. */
export function article(row: FullRow, options: ViewOptions): Article {
  const { body_html, body_markdown } = row;
  return {
    ...common(row, options),
    tag_list: row.tag_list.join(", "),
    tags: row.tag_list,
    body_html,
    body_markdown,
    ...people(row, options),
  };
}

/** An article as its author reads it: its date of publication has milliseconds. */
export function ownArticle(row: OwnRow, options: ViewOptions): OwnArticle {
  const { body_markdown, tag_list, page_views_count, published_at } = row;
  const published = isClaimed(row.state);
  return ownOf({
    ...common(row, options),
    published,
    published_at: published && published_at ? published_at.toISOString() : null,
    page_views_count,
    body_markdown,
    tag_list,
    ...people(row, options),
  });
}

const OWN_KEYS = Object.keys(OwnArticle.properties) as (keyof OwnArticle)[];

export function ownOf(article: OwnArticle): OwnArticle {
  return Object.fromEntries(OWN_KEYS.map((key) => [key, article[key]])) as OwnArticle;
}

function common(row: SummaryRow, { baseUrl, now }: ViewOptions) {
  const path = articlePath(row);
  const url = baseUrl + path;
  const publishedAt = isClaimed(row.state) ? row.published_at : null;
  const lastComment = row.last_comment_at ?? publishedAt;
  return {
    type_of: "article" as const,
    id: row.id,
    title: row.title,
    description: row.description,
    readable_publish_date: publishedAt && readableDate(publishedAt, now),
    slug: row.slug,
    path,
    url,
    comments_count: row.comments_count,
    public_reactions_count: row.public_reactions_count,
    positive_reactions_count: row.public_reactions_count,
    collection_id: row.collection_id,
    published_timestamp: publishedAt ? timestamp(row.crossposted_at ?? publishedAt) : "",
    cover_image: row.main_image,
    social_image: socialImage(row, baseUrl),
    canonical_url: canonicalUrl(row, baseUrl),
    created_at: timestamp(row.created_at),
    edited_at: row.edited_at && timestamp(row.edited_at),
    // The date of a draft only marks the origin.
    crossposted_at: row.crossposted_at && row.published_at && timestamp(row.crossposted_at),
    published_at: publishedAt && timestamp(publishedAt),
    last_comment_at: lastComment ? timestamp(lastComment) : NO_COMMENT,
    reading_time_minutes: row.reading_time_minutes,
  };
}

function people(row: SummaryRow, { baseUrl }: ViewOptions) {
  return {
    user: userView.author(row.user, baseUrl),
    ...(row.organization && { organization: organizationView.owner(row.organization, baseUrl) }),
    ...(row.flare_tag && { flare_tag: row.flare_tag }),
  };
}

export function canonicalUrl(
  row: Pick<SummaryRow, "canonical_url" | "slug" | "user" | "organization">,
  baseUrl: string,
): string {
  return row.canonical_url?.trim() || baseUrl + articlePath(row);
}

export interface VideoRow extends SummaryRow {
  author_id: number;
  video_source_url: string | null;
  video_thumbnail_url: string | null;
  video_duration_seconds: number | null;
}

export function video(row: VideoRow): VideoArticle {
  return {
    type_of: "video_article",
    id: row.id,
    path: articlePath(row),
    cloudinary_video_url: row.video_thumbnail_url ?? row.main_image ?? "",
    title: row.title,
    user_id: row.author_id,
    video_duration_in_minutes: duration(row.video_duration_seconds ?? 0),
    video_source_url: row.video_source_url ?? "",
    user: { name: row.user.name },
  };
}

/** `5:09`, from an hour on `1:02:03`. */
export function duration(seconds: number): string {
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  const hours = Math.floor(seconds / 3_600);
  if (hours > 0) parts.unshift(hours);
  return parts.map((part, place) => (place === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

interface Carded {
  title: string;
  user: { id: number; name: string };
  organization: { name: string } | null;
}

/**
 * The cover, else a card, whose address changes with its contents. Articles that aren't public have the site's
 * picture.
 */
export function socialImage(row: SummaryRow, baseUrl: string): string {
  if (row.main_image !== null) return row.main_image;
  if (row.state !== "published") return baseUrl + assetPath("social.png");
  return baseUrl + cardPath(row.id, cardHash(row));
}

export function cardOf({ title, user, organization }: Carded): Omit<Card, "site"> {
  const byline = organization === null ? user.name : `${user.name} · ${organization.name}`;
  return { title, byline, authorId: user.id };
}

/** Each card has another hash. */
export function cardHash(row: Carded): string {
  return createHash("sha256")
    .update(JSON.stringify([CARD_VERSION, cardOf(row)]))
    .digest("hex")
    .slice(0, 16);
}
