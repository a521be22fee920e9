import type { ComponentChildren } from "preact";
import { fold } from "../text/fold.ts";

export type Marked = ComponentChildren;

const WORD = /[\p{L}\p{N}\p{M}_]+/gu;

/** Characters around the first matching word of a long text. */
const AROUND = { before: 80, after: 200 };

/** Words of this length match others that begin alike, as stems do. */
const MIN_STEM = 4;

/** The words of a query as typed, without excluded ones. */
export function wordsOf(q: string): string[] {
  const wanted = q.replaceAll(/(?:^|\s)-\S+/g, " ");
  return [...new Set([...fold(wanted).matchAll(WORD)].map(([word]) => word))];
}

function matches(word: string, wanted: readonly string[]): boolean {
  const folded = fold(word);
  return wanted.some((one) => {
    if (folded === one) return true;
    const stem = one.slice(0, Math.max(MIN_STEM, one.length - 2));
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
    const from = index <= AROUND.before ? 0 : text.indexOf(" ", index - AROUND.before) + 1;
    const to = Math.min(text.length, index + AROUND.after);
    const cut = text.slice(from, to);
    return [from > 0 ? "… " : "", mark(cut, wanted), to < text.length ? " …" : ""];
  }
  return undefined;
}
