import type { Selectable } from "kysely";
import type { Articles } from "../../platform/db/tables.ts";
import { videoPicture } from "../../content/text/embeds/services.ts";
import { describe, excerptOf, plainText, runningText } from "../../content/text/plain-text.ts";
import type { Rendered } from "../../content/text/render-pool.ts";
import { RENDERER_VERSION } from "../../platform/jobs/rerender.ts";

type Row = Selectable<Articles>;

export interface RenderedBody extends Rendered {
  markdown: string;
}

/** Checked values. An absent one stays as it is, or as in a new article. */
interface Values {
  title?: string | undefined;
  description?: string | undefined;
  canonical_url?: string | null | undefined;
  main_image?: string | null | undefined;
}

interface Sources {
  existing?: Row | undefined;
  /** A new article has one. */
  body?: RenderedBody | undefined;
  authorName: string;
}

/** The columns that the values of a request or a record decide alone. */
export function compose(given: Values, { existing, body, authorName }: Sources) {
  return {
    title: given.title ?? existing?.title ?? "",
    ...(body ? bodyColumns(body) : storedBody(existing as Row)),
    ...describedBy(given.description?.trim(), { existing, body, authorName }),
    canonical_url: otherwise(given.canonical_url, existing?.canonical_url ?? null),
    main_image: otherwise(given.main_image, existing?.main_image ?? null),
  };
}

/** Null is a value too. */
function otherwise<T>(given: T | undefined, present: T): T {
  return given === undefined ? present : given;
}

/** Another video has its own picture and length. */
export function videoOf(given: string | null | undefined, existing: Row | undefined) {
  const source = otherwise(given, existing?.video_source_url ?? null);
  const isSame = source === existing?.video_source_url;
  return {
    video_source_url: source,
    video_thumbnail_url: isSame ? existing.video_thumbnail_url : source && videoPicture(source),
    video_duration_seconds: isSame ? existing.video_duration_seconds : null,
  };
}

export function bodyColumns({ markdown, html, page, readingMinutes }: RenderedBody) {
  return {
    body_markdown: markdown,
    body_html: html,
    page_html: page === undefined || page.html === html ? null : page.html,
    contents: JSON.stringify(page?.contents ?? []),
    language: page?.language ?? null,
    renderer_version: RENDERER_VERSION,
    reading_time_minutes: readingMinutes,
  };
}

function storedBody(row: Row): ReturnType<typeof bodyColumns> {
  const { body_markdown, body_html, page_html, contents, language, renderer_version, reading_time_minutes } =
    row;
  return { body_markdown, body_html, page_html, contents, language, renderer_version, reading_time_minutes };
}

/** An empty description is made from the body. Without a given one, a new body replaces only one that was made so. */
function describedBy(given: string | undefined, { existing, body, authorName }: Sources) {
  if (body && (given || !existing)) return descriptionOf(given, { text: body.text, authorName });
  const { description, excerpt } = existing as Row;
  if (given) return { description: given, excerpt: given === description ? excerpt : null };
  if (given === undefined && !(body && isMade(existing as Row, authorName))) return { description, excerpt };
  const text = body?.text ?? runningText((existing as Row).body_html);
  return descriptionOf(undefined, { text, authorName });
}

/** The given description, else one made from the running text of the body, with a longer one for pages. */
export function descriptionOf(
  given: string | undefined,
  { text, authorName }: { text: string; authorName: string },
): Pick<Row, "description" | "excerpt"> {
  const description = describe(text, authorName);
  if (given && given !== description) return { description: given, excerpt: null };
  return { description, excerpt: text === "" ? description : excerptOf(text) };
}

/** Much more than a description is made from. */
const BEGINNING = 20_000;

/** Whether the description was made from the body. The text of all elements made those of earlier renderers. */
export function isMade(row: Row, authorName: string): boolean {
  if (row.excerpt !== null || row.renderer_version >= RENDERER_VERSION) return row.excerpt !== null;
  return row.description === describe(plainText(row.body_html.slice(0, BEGINNING)), authorName);
}
