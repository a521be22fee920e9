import type { User } from "../actor.ts";
import type { Db } from "../db/connect.ts";
import { invalid } from "../errors.ts";
import * as organizations from "../organizations/organizations.ts";
import { isReachableAnywhere } from "../net/destination.ts";
import type { Settings } from "../settings/schema.ts";
import * as tags from "../tags/tags.ts";
import { describe } from "../text/description.ts";
import type { FrontMatter } from "../text/front-matter.ts";
import { RENDERER_VERSION } from "../text/rerender.ts";
import { mentionsIn } from "../text/mentions.ts";
import { plainText } from "../text/plain-text.ts";
import { videoPicture } from "../text/embeds/services.ts";
import * as users from "../users/users.ts";
import { checkFree } from "./canonical-urls.ts";
import * as series from "./series.ts";
import { isClaimed, save, type State } from "./publication-status.ts";
import type { Wanted } from "./merge-front-matter.ts";
import type { RenderedBody } from "./rendering.ts";
import type { ArticleRow } from "./writing-queries.ts";

export type Body = RenderedBody & { markdown: string; frontMatter: FrontMatter };

interface Source {
  writer: User;
  authorName: string;
  wanted: Wanted;
  body: Body | undefined;
  now: Date;
  community: Pick<Settings, "contact_email">;
  warn: (sentence: string) => void;
  existing?: ArticleRow;
}

type Columns = Pick<
  ArticleRow,
  | "title"
  | "body_markdown"
  | "body_html"
  | "renderer_version"
  | "reading_time_minutes"
  | "description"
  | "tag_list"
  | "canonical_url"
  | "main_image"
  | "video_source_url"
  | "video_thumbnail_url"
  | "video_duration_seconds"
  | "collection_id"
  | "organization_id"
  | "published_at"
> & { state: State };

/** @throws AppError invalid */
export async function columnsOf(tx: Db, source: Source): Promise<Columns> {
  const { wanted, body, existing, now, warn, writer } = source;
  if (body) await checkMentions(tx, body.html);
  for (const warning of body?.warnings ?? []) warn(warning);
  const before = existing && { state: existing.state as State, published_at: existing.published_at };
  const status = save(before, wanted, { now, warn });
  if (wanted.canonical_url) warnIfUnreachable(wanted.canonical_url, warn);
  const canonical_url = otherwise(wanted.canonical_url, existing?.canonical_url ?? null);
  if (canonical_url !== null && isClaimed(status.state)) {
    await checkFree(tx, {
      canonicalUrl: canonical_url,
      id: existing?.id,
      writerId: writer.id,
      contactEmail: source.community.contact_email,
    });
  }
  return {
    ...status,
    title: wanted.title ?? existing?.title ?? "",
    ...bodyOf(body, existing),
    description: descriptionOf(source),
    tag_list: wanted.tags ? await tags.preferred(tx, wanted.tags) : (existing?.tag_list ?? []),
    canonical_url,
    main_image: otherwise(wanted.main_image, existing?.main_image ?? null),
    ...videoOf(wanted.video_source_url, existing),
    collection_id: await seriesOf(tx, source),
    organization_id: await organizationOf(tx, source),
  };
}

/** Null is a value too. */
function otherwise<T>(asked: T | undefined, present: T): T {
  return asked === undefined ? present : asked;
}

/** Another video has its own picture and length. */
function videoOf(asked: string | null | undefined, existing: ArticleRow | undefined) {
  const present = existing?.video_source_url ?? null;
  if (existing && (asked === undefined || asked === present)) {
    const { video_source_url, video_thumbnail_url, video_duration_seconds } = existing;
    return { video_source_url, video_thumbnail_url, video_duration_seconds };
  }
  const source = asked ?? null;
  return {
    video_source_url: source,
    video_thumbnail_url: videoPicture(source),
    video_duration_seconds: null,
  };
}

function bodyOf(body: Body | undefined, existing: ArticleRow | undefined) {
  if (body) {
    return {
      body_markdown: body.markdown,
      body_html: body.html,
      renderer_version: RENDERER_VERSION,
      reading_time_minutes: body.readingMinutes,
    };
  }
  if (!existing) throw new Error("a new article has a body");
  const { body_markdown, body_html, renderer_version, reading_time_minutes } = existing;
  return { body_markdown, body_html, renderer_version, reading_time_minutes };
}

/** Without a given description, a new body makes a new one. */
function descriptionOf({ wanted, body, existing, authorName }: Source): string {
  const given = wanted.description?.trim();
  if (given) return given;
  if (existing === undefined) return describe(body?.text ?? "", authorName);
  if (given === undefined && !body) return existing.description;
  const made = describe(plainText(existing.body_html), authorName);
  if (given === undefined && existing.description !== made) return existing.description;
  return body ? describe(body.text, authorName) : made;
}

async function seriesOf(tx: Db, { wanted, existing, writer }: Source): Promise<number | null> {
  const ownerId = existing?.author_id ?? writer.id;
  const { series: name, collection_id } = wanted;
  if (name !== undefined) return name === null ? null : series.open(tx, ownerId, name);
  if (collection_id === undefined) return existing?.collection_id ?? null;
  if (collection_id !== null) await series.checkOwned(tx, ownerId, collection_id);
  return collection_id;
}

/** Undefined unless the writer may write for it. */
async function organizationOf(tx: Db, { wanted, existing, writer, warn }: Source): Promise<number | null> {
  const asked = wanted.organization_id;
  const present = existing?.organization_id ?? null;
  if (asked === undefined || asked === present) return present;
  if (Number.isNaN(asked)) {
    warn("Attribute organization_id was ignored: it must be the number of an organization, such as 3.");
    return present;
  }
  if (await organizations.isMember(tx, { userId: writer.id, organizationId: asked })) return asked;
  const isAdminsEdit = existing !== undefined && writer.role === "admin";
  if (isAdminsEdit && (await organizations.exists(tx, asked))) return asked;
  warn("Attribute organization_id was ignored: you are not a member of that organization.");
  return present;
}

const MAX_MENTIONS = 7;

/** Each mentioned person is notified. */
async function checkMentions(tx: Db, html: string): Promise<void> {
  const names = mentionsIn(html);
  if (names.length <= MAX_MENTIONS) return;
  const mentioned = await users.idsByUsername(tx, names);
  if (mentioned.size > MAX_MENTIONS) {
    throw invalid(`You cannot mention more than ${MAX_MENTIONS} users in an article`);
  }
}

/** A canonical URL on a private network may be intended. */
function warnIfUnreachable(canonicalUrl: string, warn: (sentence: string) => void): void {
  const url = new URL(canonicalUrl);
  if (isReachableAnywhere(url)) return;
  warn(`Canonical url leads to ${url.hostname}, which readers outside your network can't open.`);
}
