import MarkdownIt from "markdown-it";
import { highlight } from "../highlight.ts";
import type { References } from "../references.ts";
import { isHttpUrl } from "../urls.ts";
import { anyCard, articleCard, type Card, placeCard, PLACES, serviceCard } from "./cards.ts";
import { SERVICES } from "./services.ts";

interface CardTag {
  form: "card";
  /** Undefined for an unknown address. */
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
    namesOf(place).map((name): [string, Tag] => [
      name,
      {
        form: "card",
        cardOf: (address, references) => placeCard(place, address, references),
        needs: `a ${place.noun}`.replace(/^a (?=[aeio])/, "an "),
      },
    ]),
  ),
  ...SERVICES.flatMap((service) =>
    namesOf(service).map((name): [string, Tag] => [
      name,
      {
        form: "card",
        cardOf: (address) => serviceCard(service, address),
        needs: `an address of ${service.label}${service.short ? " or its short form" : ""}`,
      },
    ]),
  ),
]);

function namesOf({ name, aliases = [] }: { name: string; aliases?: readonly string[] }): string[] {
  return [name, ...aliases];
}

export interface FoundTag {
  name: string;
  argument: string;
  raw: string;
  end: number;
  isClosed: boolean;
}

/** Many unclosed tags would take long. */
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
  from: number;
  to: number;
}

const PATTERNS = new Map<string, RegExp>();

export function findEnding(text: string, name: string, from: number): Ending | undefined {
  const pattern = PATTERNS.get(name) ?? new RegExp(String.raw`\{%-?[ \t]*end${name}[ \t]*-?%\}`, "gi");
  PATTERNS.set(name, pattern);
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match ? { from: match.index, to: match.index + match[0].length } : undefined;
}

export function createEndings(text: string): (name: string, from: number) => Ending | undefined {
  const known = new Map<string, { from: number; ending: Ending | undefined }>();
  return (name, from) => {
    const last = known.get(name);
    if (last && from >= last.from && (last.ending === undefined || from <= last.ending.from))
      return last.ending;
    const ending = findEnding(text, name, from);
    known.set(name, { from, ending });
    return ending;
  };
}

export const { escapeHtml: escape } = new MarkdownIt().utils;

export function cardHtml({ kind, href, text }: Card): string {
  return `<a class="embed embed-${kind}" href="${escape(href)}">${escape(text)}</a>`;
}

/** Undefined without a valid link. */
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
