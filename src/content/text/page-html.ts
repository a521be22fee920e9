import { francAll } from "franc-min";
import { plainText } from "./plain-text.ts";

export interface Heading {
  level: number;
  id: string;
  text: string;
}

/** The parts of an article's page that are made from its body. */
export interface BodyPage {
  html: string;
  contents: Heading[];
  /** BCP 47; undefined unless it is sure. */
  language: string | undefined;
}

/** @param html output of `sanitise` */
export function bodyPage(html: string): BodyPage {
  return { html: fitted(html, {}), contents: contentsOf(html), language: languageOf(html) };
}

const HEADING = /<h([1-3]) id="(h-[^"]+)"[^>]*>(.*?)<\/h\1>/gs;
const MAX_HEADINGS = 200;
const MAX_HEADING_CHARACTERS = 200;

/** A longer list than a reader can use leaves out the lower levels, then the last headings. */
function contentsOf(html: string): Heading[] {
  let found = Array.from(html.matchAll(HEADING), ([, level, id = "", text = ""]) => ({
    level: Number(level),
    id,
    text,
  }));
  for (const lowest of [2, 1]) {
    const higher = found.filter(({ level }) => level <= lowest);
    if (found.length > MAX_HEADINGS && higher.length > 0) found = higher;
  }
  return found.slice(0, MAX_HEADINGS).map((heading) => ({ ...heading, text: shortened(heading.text) }));
}

function shortened(html: string): string {
  const text = plainText(html);
  return text.length <= MAX_HEADING_CHARACTERS ? text : `${text.slice(0, MAX_HEADING_CHARACTERS).trimEnd()}…`;
}

interface Fit {
  under?: number | undefined;
  /** Goes before the ids of a text that isn't the only one on its page. */
  scope?: string | undefined;
}

export function fitted(html: string, { under = 1, scope }: Fit): string {
  return withOwnIds(underHeading(html, under), scope);
}

/** Links of a text beside a form, which a reader must not lose by them. */
export function inNewTab(html: string): string {
  return html.replace(TAG, (tag) => tag.replace(/^<a (?=.*href="[^#])/s, '<a target="_blank" '));
}

const HEADING_TAG = /(<\/?h)([1-6])(?=[ >])/g;

/** Moves the headings of a text below that of the page, so that voices read one outline. */
function underHeading(html: string, under: number): string {
  let highest = Infinity;
  for (const [, , level] of html.matchAll(HEADING_TAG)) highest = Math.min(highest, Number(level));
  const shift = under + 1 - highest;
  if (shift === 0 || !Number.isFinite(shift)) return html;
  return html.replace(HEADING_TAG, (_, tag: string, level) => tag + Math.min(Number(level) + shift, 6));
}

const TAG = /<[a-z][^>]*>/g;
const ID = / id="h-([^"]*)"/;

/** The ids of a text begin with `h-`; its author wrote links to them without. */
function withOwnIds(html: string, scope: string | undefined): string {
  if (!html.includes("#") && (scope === undefined || !html.includes(' id="'))) return html;
  const ids = new Set(Array.from(html.match(TAG) ?? [], (tag) => ID.exec(tag)?.[1]));
  const prefix = scope === undefined ? "h-" : `${scope}-h-`;
  return html.replace(TAG, (tag) =>
    tag
      .replace(ID, ` id="${prefix}$1"`)
      .replace(/ href="#(?:h-)?([^"]*)"/, (link, name: string) =>
        ids.has(plainName(name)) ? ` href="#${prefix}${name}"` : link,
      ),
  );
}

function plainName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Shorter texts are too often taken for another language. */
const MIN_CHARACTERS = 100;
/** More characters make it hardly surer. */
const MAX_CHARACTERS = 500;
/** Markup and code take part of this. */
const MAX_HTML = 10_000;
/**
 * How near the second language may come to the first, whose score is 1. Where none came nearer, the first was right in
 * every part of the articles of the demo community.
 */
const maxSecond = (length: number) => (length < 300 ? 0.9 : 0.98);

const CODE = /<(pre|code)\b[\s\S]*?<\/\1>/g;

/** The language of output of `sanitise` (BCP 47); undefined unless it is sure. */
export function languageOf(html: string): string | undefined {
  const text = plainText(html.slice(0, MAX_HTML).replaceAll(CODE, " ")).slice(0, MAX_CHARACTERS);
  if (text.length < MIN_CHARACTERS) return undefined;
  const [first, second] = francAll(text);
  if (first === undefined || first[0] === "und") return undefined;
  if (second !== undefined && second[1] > maxSecond(text.length)) return undefined;
  return Intl.getCanonicalLocales(first[0])[0];
}
