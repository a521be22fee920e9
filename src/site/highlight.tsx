import type { ComponentChildren } from "preact";
import { fold } from "../text/fold.ts";
import { plainText } from "../text/plain-text.ts";

export type Marked = ComponentChildren;

const WORD = /[\p{L}\p{N}\p{M}_]+/gu;

/** Characters around the first matching word of a long text. */
const AROUND = { before: 60, after: 140 };

/** Words of this length match others that begin alike, as stems do. */
const MIN_STEM = 4;

/** The words of a query as typed, without excluded ones. */
export function wordsOf(q: string): string[] {
  const wanted = q.replaceAll(/(?:^|\s)-\S+/g, " ");
  return [...new Set([...fold(wanted).matchAll(WORD)].map(([word]) => word))];
}

const stemOf = (word: string) => word.slice(0, Math.max(MIN_STEM, word.length - 2));

function matches(word: string, wanted: readonly string[]): boolean {
  const folded = fold(word);
  return wanted.some((one) => {
    if (folded === one) return true;
    const stem = stemOf(one);
    return stem.length >= MIN_STEM && folded.startsWith(stem) && folded.length <= one.length + 4;
  });
}

/** The text with the words of a query marked. */
export function mark(text: string, wanted: readonly string[]): Marked {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!matches(word, wanted)) continue;
    parts.push(text.slice(end, index), <mark>{word}</mark>);
    end = index + word.length;
  }
  return parts.length === 0 ? text : [...parts, text.slice(end)];
}

/** The part of a text around the first word of a query; undefined if it has none. */
export function snippet(text: string, wanted: readonly string[]): Marked | undefined {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!matches(word, wanted)) continue;
    const from = beginningBefore(text, index);
    const to = endBehind(text, index + word.length);
    const cut = text.slice(from, to);
    return [from > 0 ? "…" : "", mark(cut, wanted), to < text.length ? "…" : ""];
  }
  return undefined;
}

/** Where a snippet begins whose word is at `index`: with a word, in scripts that put spaces between them. */
function beginningBefore(text: string, index: number): number {
  const from = index - AROUND.before;
  if (from <= 0) return 0;
  const space = text.indexOf(" ", from);
  return space === -1 || space >= index ? from : space + 1;
}

function endBehind(text: string, end: number): number {
  const to = end + AROUND.after;
  if (to >= text.length) return text.length;
  const space = text.lastIndexOf(" ", to);
  return space < end ? to : space;
}

/** For a letter, the ones that search reads as it: Latin ones with accents. */
const ACCENTED = new Map<string, string>();
for (let code = 0xc0; code < 0x250; code += 1) {
  const letter = String.fromCodePoint(code);
  const plain = fold(letter);
  ACCENTED.set(plain, (ACCENTED.get(plain) ?? "") + letter);
}

/** Finds where words of a query may begin, much faster than a look at each word does. */
export function beginningsOf(wanted: readonly string[]): RegExp {
  const beginnings = wanted.map((word) =>
    Array.from(stemOf(word), (letter) => `[${letter}${ACCENTED.get(letter) ?? ""}]`).join(""),
  );
  return new RegExp(beginnings.join("|") || "(?!)", "giu");
}

/** Characters of HTML around a word that hold the text around it. */
const MARGIN = 600;

/** As `snippet`, of output of `sanitise`; `beginnings` is of the same words. */
export function snippetOfHtml(
  html: string,
  wanted: readonly string[],
  beginnings: RegExp,
): Marked | undefined {
  let end = 0;
  for (const { index } of html.matchAll(beginnings)) {
    if (index < end) continue;
    end = index + MARGIN;
    const found = snippet(textBetween(html, index - MARGIN, end), wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The text of a part of HTML, whose ends may be within tags. */
function textBetween(html: string, from: number, to: number): string {
  const part = html.slice(Math.max(0, from), to);
  return plainText(part.replace(/^[^<>]*>/, "").replace(/<[^<>]*$/, ""));
}
