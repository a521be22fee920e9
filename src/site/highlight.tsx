import type { ComponentChildren } from "preact";
import type { Mark, Marker } from "../search/marking.ts";
import { plainText } from "../text/plain-text.ts";
import type { ShowText } from "../web/components.tsx";

/** @param marker undefined for a query without words */
export function markWith(marker: Marker | undefined): ShowText {
  return (text) => (marker === undefined ? text : show(text, marker.marks(text)));
}

/** Parts of marks that overlap are one. */
function show(text: string, marks: readonly Mark[], from = 0, to = text.length): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let shown = from;
  for (let at = 0; at < marks.length; at++) {
    const { start } = marks[at] as Mark;
    let { end } = marks[at] as Mark;
    for (; (marks[at + 1]?.start ?? Infinity) < end; at++) end = Math.max(end, marks[at + 1]?.end ?? 0);
    if (start < from || end > to) continue;
    parts.push(text.slice(shown, start), <mark>{text.slice(start, end)}</mark>);
    shown = end;
  }
  return [...parts, text.slice(shown, to)];
}

/** A part of a text, and how much its words weigh. */
export interface Snippet {
  shown: ComponentChildren;
  weight: number;
}

export function wholeText(text: string, marker: Marker): Snippet {
  const marks = marker.marks(text);
  return { shown: show(text, marks), weight: marker.weightOf(marks) };
}

/** Characters around the first mark. */
const AROUND = { before: 60, after: 140 };

/** The part of a text whose words weigh most; undefined if it has none of the query. */
function snippet(text: string, marker: Marker): Snippet | undefined {
  const marks = marker.marks(text);
  let best: { first: Mark; weight: number } | undefined;
  for (const [at, first] of marks.entries()) {
    const end = marks.findIndex((mark) => mark.end > first.start + AROUND.after);
    const weight = marker.weightOf(marks.slice(at, end < 0 ? undefined : Math.max(end, at + 1)));
    if (best === undefined || weight > best.weight) best = { first, weight };
  }
  if (best === undefined) return undefined;
  const from = beginningBefore(text, best.first.start);
  const to = endBehind(text, best.first.end);
  const shown = [from > 0 ? "…" : "", show(text, marks, from, to), to < text.length ? "…" : ""];
  return { shown, weight: best.weight };
}

const END_OF_SENTENCE = /[.!?]["”’)]*\s+|[。！？]\s*/u;

/** Where a part begins: with a sentence, or else with a word in scripts that put spaces between them. */
function beginningBefore(text: string, start: number): number {
  const from = start - AROUND.before;
  if (from <= 0) return 0;
  const before = text.slice(from, start);
  const end = END_OF_SENTENCE.exec(before);
  return from + (end === null ? before.indexOf(" ") + 1 : end.index + end[0].length);
}

function endBehind(text: string, end: number): number {
  const to = end + AROUND.after;
  if (to >= text.length) return text.length;
  const space = text.lastIndexOf(" ", to);
  return space < end ? to : space;
}

/** Characters of HTML around a word that hold the text around it. */
const MARGIN = 600;
const LOOKED_AT = 5;

/** Makes the `snippet` of output of `sanitise`. Looks at the likeliest places first. */
export function snippetOfHtml(html: string, marker: Marker): Snippet | undefined {
  const places = marker.likelyPlaces(html);
  const windows = places.map((first, at) => {
    const others = places.slice(at).filter(({ start }) => start < first.start + AROUND.after);
    return { start: first.start, weight: marker.weightOf(others) };
  });
  let best: Snippet | undefined;
  for (const { start, weight } of windows.toSorted(byWeight).slice(0, LOOKED_AT)) {
    if (best !== undefined && best.weight >= weight) break;
    const found = snippet(textBetween(html, start - MARGIN, start + MARGIN), marker);
    if (found !== undefined && found.weight > (best?.weight ?? 0)) best = found;
  }
  return best;
}

const byWeight = (one: { weight: number }, other: { weight: number }) => other.weight - one.weight;

/** The text of a part of HTML, whose ends may be within tags. */
function textBetween(html: string, from: number, to: number): string {
  const part = html.slice(Math.max(0, from), to);
  return plainText(part.replace(/^[^<>]*>/, "").replace(/<[^<>]*$/, ""));
}
