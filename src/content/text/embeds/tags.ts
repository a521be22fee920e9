import MarkdownIt from "markdown-it";
import { highlight } from "../highlight.ts";
import type { References } from "../references.ts";
import { isHttpUrl } from "../../../platform/text/urls.ts";
import { anyCard, articleCard, type Card, placeCard, PLACES, serviceCard } from "./cards.ts";
import { SERVICES } from "./services.ts";

interface CardTag {
  form: "card";
  cardOf: (address: string, references: References) => Card | undefined;
  needs: string;
}

interface BoxTag {
  form: "box";
  open: (summary: string) => string;
  close: string;
}

/** `cta` makes a button of a link, `raw` lets tags mean nothing. */
type Tag = CardTag | BoxTag | { form: "code"; language: string } | { form: "cta" } | { form: "raw" };

const details: BoxTag = {
  form: "box",
  open: (summary) => `<details>\n<summary>${summary || "Details"}</summary>\n`,
  close: "</details>\n",
};
const article: CardTag = { form: "card", cardOf: articleCard, needs: "the address of an article" };

export const TAGS: ReadonlyMap<string, Tag> = new Map<string, Tag>([
  ["embed", { form: "card", cardOf: anyCard, needs: "an http or https address" }],
  ["link", article],
  ["post", article],
  ["details", details],
  ["collapsible", details],
  ["spoiler", details],
  ["card", { form: "box", open: () => '<div class="card">\n', close: "</div>\n" }],
  ["cta", { form: "cta" }],
  ["katex", { form: "code", language: "math" }],
  ["runkit", { form: "code", language: "js" }],
  ["raw", { form: "raw" }],
  ...PLACES.flatMap((place) =>
    cardTags(place, {
      form: "card",
      cardOf: (address, references) => placeCard(place, address, references),
      needs: `a ${place.noun}`.replace(/^a (?=[aeio])/, "an "),
    }),
  ),
  ...SERVICES.flatMap((service) =>
    cardTags(service, {
      form: "card",
      cardOf: (address) => serviceCard(service, address),
      needs: `an address of ${service.label}${service.short ? " or its short form" : ""}`,
    }),
  ),
]);

function cardTags(of: { name: string; aliases?: readonly string[] }, tag: CardTag): [string, Tag][] {
  return [of.name, ...(of.aliases ?? [])].map((name) => [name, tag]);
}

export interface FoundTag {
  name: string;
  argument: string;
  raw: string;
  end: number;
  isClosed: boolean;
}

/** The longest tag that is read: many unclosed ones would take long. */
const MAX_CHARACTERS = 1000;
const START = /^\{%-?[ \t]*([a-z]\w{0,30})(?![\w])/i;

/** A tag must end on its line; otherwise only its beginning is read. */
export function readTag(text: string, at: number, max: number): FoundTag | undefined {
  if (text[at] !== "{" || text[at + 1] !== "%") return undefined;
  const piece = text.slice(at, Math.min(max, at + MAX_CHARACTERS));
  const start = START.exec(piece);
  if (!start) return undefined;
  const [opening, name = ""] = start;
  const lineEnd = piece.indexOf("\n");
  const close = piece.indexOf("%}", opening.length);
  const isClosed = close >= 0 && (lineEnd < 0 || close < lineEnd);
  const length = isClosed ? close + 2 : opening.length;
  return {
    name: name.toLowerCase(),
    argument: isClosed ? piece.slice(opening.length, close).replace(/-$/, "").trim() : "",
    raw: piece.slice(0, length),
    end: at + length,
    isClosed,
  };
}

export interface Ending {
  name: string;
  from: number;
  to: number;
}

const ENDING = /\{%-?[ \t]*end([a-z]\w{0,30})[ \t]*-?%\}/gi;

/** Finds all endings at once: looking for the end of each tag would take quadratic time. */
export function endingsIn(text: string): Ending[] {
  return [...text.matchAll(ENDING)].map(({ 0: raw, 1: name = "", index }) => ({
    name: name.toLowerCase(),
    from: index,
    to: index + raw.length,
  }));
}

export const { escapeHtml: escape } = new MarkdownIt().utils;

export function cardHtml({ kind, href, text }: Card): string {
  return `<a class="embed embed-${kind}" href="${escape(href)}">${escape(text)}</a>`;
}

export function ctaHtml(argument: string, content: string): string | undefined {
  const href = /^\S*/.exec(argument)?.[0] ?? "";
  if (!isHttpUrl(href) && !/^\/[\w-]/.test(href)) return undefined;
  const text = content.replaceAll(/\s+/g, " ").trim() || href;
  return `<a class="cta" href="${escape(href)}">${escape(text)}</a>`;
}

export function codeHtml(language: string, content: string): string {
  const code = highlight(content, language) || escape(content);
  return `<code class="language-${language}">${code}</code>`;
}
