import { renderHtml } from "../articles/rendering.ts";
import type { Db } from "../../platform/db/connect.ts";
import { FieldsError, invalid } from "../../platform/errors.ts";
import { countCharacters, faultIn } from "../../platform/text/valid-text.ts";
import { mentionsIn } from "../../content/text/references.ts";
import type { Renderer, RenderPool } from "../../content/text/render-pool.ts";
import { rerenderHtml } from "../../platform/jobs/rerender.ts";
import * as users from "../users/users.ts";

/** The source and the rendered HTML of a comment. */
export interface Body {
  markdown: string;
  html: string;
}

const MAX_CHARACTERS = 25_000;
const MAX_MENTIONS = 7;

/** Renders a comment, before the transaction that stores it. */
export async function render(db: Db, renderer: Renderer, markdown: string): Promise<Body> {
  checkMarkdown(markdown);
  const fault = faultIn(markdown);
  if (fault !== undefined) throw refused(`contains ${fault}: leave it out`);
  return { markdown, html: await renderHtml(db, renderer, markdown) };
}

const refused = (words: string) => new FieldsError({ body_markdown: [words] }, `Body markdown ${words}`);

export function checkMarkdown(markdown: string): void {
  if (markdown.trim() === "") throw refused("can't be blank");
  checkLength(markdown);
}

export function checkLength(markdown: string): void {
  if (countCharacters(markdown) > MAX_CHARACTERS) {
    throw refused(`is too long (maximum is ${MAX_CHARACTERS} characters)`);
  }
}

/** Each mentioned person is notified. @throws AppError invalid for many */
export async function checkMentions(db: Db, html: string): Promise<void> {
  const names = mentionsIn(html);
  if (names.length <= MAX_MENTIONS) return;
  const mentioned = await users.idsByUsername(db, names);
  if (mentioned.size > MAX_MENTIONS) {
    throw invalid(`You cannot mention more than ${MAX_MENTIONS} users in a comment`);
  }
}

export function rerender(db: Db, renderPool: RenderPool): Promise<number> {
  return rerenderHtml(db, "comments", (markdown) => renderHtml(db, renderPool, markdown));
}
