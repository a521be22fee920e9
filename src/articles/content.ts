import type { Db } from "../db/connect.ts";
import { invalid } from "../errors.ts";
import * as organizations from "../organizations/organizations.ts";
import * as tags from "../tags/tags.ts";
import { describe } from "../text/description.ts";
import { RENDERER_VERSION } from "../text/renderer-version.ts";
import { mentionsIn } from "../text/mentions.ts";
import { plainText } from "../text/plain-text.ts";
import { videoPicture } from "../text/video-picture.ts";
import * as users from "../users/users.ts";
import { warnIfUnreachable } from "./attributes.ts";
import { checkFree } from "./canonical-urls.ts";
import type { Prepared } from "./prepared.ts";
import * as series from "./series.ts";
import { isClaimed, save, type State } from "./state.ts";
import type { Wanted } from "./wanted.ts";
import type { ArticleRow } from "./writing-queries.ts";

interface Source {
  writer: { id: number; role: string };
  authorName: string;
  wanted: Wanted;
  body: Prepared["body"];
  rules: { now: Date; contactEmail: string };
  warn: (sentence: string) => void;
  /** Undefined for a new article. */
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

/**
 * What an article becomes.
 * @throws AppError invalid when it can't be that
 */
export async function columnsOf(tx: Db, source: Source): Promise<Columns> {
  const { wanted, body, existing, rules, warn, writer } = source;
  if (body) await checkMentions(tx, body.html);
  for (const warning of body?.warnings ?? []) warn(warning);
  const before = existing && { state: existing.state as State, published_at: existing.published_at };
  const standing = save(before, wanted, { now: rules.now, warn });
  if (wanted.canonical_url) warnIfUnreachable(wanted.canonical_url, warn);
  const canonical_url = otherwise(wanted.canonical_url, existing?.canonical_url ?? null);
  if (canonical_url !== null && isClaimed(standing.state)) {
    const { contactEmail } = rules;
    await checkFree(tx, { canonicalUrl: canonical_url, id: existing?.id, writerId: writer.id, contactEmail });
  }
  return {
    ...standing,
    title: wanted.title ?? existing?.title ?? "",
    ...bodyOf(body, existing),
    description: descriptionOf(source),
    tag_list: wanted.tags ? await resolved(tx, wanted.tags) : (existing?.tag_list ?? []),
    canonical_url,
    main_image: otherwise(wanted.main_image, existing?.main_image ?? null),
    ...videoOf(wanted.video_source_url, existing),
    collection_id: await seriesOf(tx, source),
    organization_id: await organizationOf(tx, source),
  };
}

/** What was asked for, null included, or else what there is. */
function otherwise<T>(asked: T | undefined, present: T): T {
  return asked === undefined ? present : asked;
}

/** Picture and length belong to the video: another one has its own. */
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

function bodyOf(body: Prepared["body"], existing: ArticleRow | undefined) {
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

/** The one that is given, or one made from the body; one that was made before is made again with a new body. */
function descriptionOf({ wanted, body, existing, authorName }: Source): string {
  const given = wanted.description?.trim();
  if (given) return given;
  if (existing === undefined) return describe(body?.text ?? "", authorName);
  if (given === undefined && !body) return existing.description;
  const made = describe(plainText(existing.body_html), authorName);
  if (given === undefined && existing.description !== made) return existing.description;
  return body ? describe(body.text, authorName) : made;
}

/** Tags under their preferred names; the unknown are created when the article is published. */
async function resolved(tx: Db, names: string[]): Promise<string[]> {
  const known = await tags.known(tx, names);
  return [...new Set(names.map((name) => known.get(name)?.name ?? name))];
}

async function seriesOf(tx: Db, { wanted, existing, writer }: Source): Promise<number | null> {
  const ownerId = existing?.author_id ?? writer.id;
  const { series: name, collection_id } = wanted;
  if (name !== undefined) return name === null ? null : series.open(tx, ownerId, name);
  if (collection_id === undefined) return existing?.collection_id ?? null;
  if (collection_id !== null) await series.checkOwned(tx, ownerId, collection_id);
  return collection_id;
}

/** The organization that was asked for, if the writer may write for it. */
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

/** Whoever is mentioned is told, so that an article mustn't be a way to tell everybody. */
async function checkMentions(tx: Db, html: string): Promise<void> {
  const names = mentionsIn(html);
  if (names.length <= MAX_MENTIONS) return;
  const mentioned = await users.idsByUsername(tx, names);
  if (mentioned.size > MAX_MENTIONS) {
    throw invalid(`You cannot mention more than ${MAX_MENTIONS} users in an article`);
  }
}
