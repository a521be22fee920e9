import type { Selectable } from "kysely";
import type { Articles } from "../db/tables.ts";
import { describe, plainText } from "../text/plain-text.ts";
import type { Rendered } from "../text/render-pool.ts";
import { RENDERER_VERSION } from "../text/rerender.ts";
import { excerptOf, runningText } from "../text/running-text.ts";

type Row = Selectable<Articles>;

/** The columns of a rendered body, with the parts of its page. */
export function bodyColumns({ html, page, readingMinutes }: Rendered, markdown: string) {
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

/** The same columns of a stored body. */
export function storedBody(row: Row): ReturnType<typeof bodyColumns> {
  const { body_markdown, body_html, page_html, contents, language, renderer_version, reading_time_minutes } =
    row;
  return { body_markdown, body_html, page_html, contents, language, renderer_version, reading_time_minutes };
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

/** A description that was made from the stored body, again. */
export function madeAgain(row: Pick<Row, "body_html">, authorName: string) {
  return descriptionOf(undefined, { text: runningText(row.body_html), authorName });
}

/** Much more than a description is made from. */
const BEGINNING = 20_000;

/** Whether the description was made from the body. The text of all elements made those of earlier renderers. */
export function isMade(row: Row, authorName: string): boolean {
  if (row.excerpt !== null || row.renderer_version >= RENDERER_VERSION) return row.excerpt !== null;
  return row.description === describe(plainText(row.body_html.slice(0, BEGINNING)), authorName);
}
