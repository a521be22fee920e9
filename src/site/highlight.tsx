import type { ComponentChildren } from "preact";
import type { Mark, Marker } from "../search/marking.ts";
import { plainText } from "../content/text/plain-text.ts";
import type { ShowText } from "./kit/components.tsx";

/** @param marker undefined for a query without words */
export function markWith(marker: Marker | undefined): ShowText {
  return (text) => (marker === undefined ? text : show(text, marker.marks(text)));
}

/** Parts of marks that overlap are one. */
function show(text: string, marks: readonly Mark[]): ComponentChildren {
  if (marks.length === 0) return text;
  const parts: ComponentChildren[] = [];
  let shown = 0;
  for (let at = 0; at < marks.length; at++) {
    const { start } = marks[at] as Mark;
    let { end } = marks[at] as Mark;
    for (; (marks[at + 1]?.start ?? Infinity) < end; at++) end = Math.max(end, marks[at + 1]?.end ?? 0);
    parts.push(text.slice(shown, start), <mark>{text.slice(start, end)}</mark>);
    shown = end;
  }
  return [...parts, text.slice(shown)];
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
const LOOKED_AT = 5;

/** The part of output of `sanitise` whose words weigh most: the likeliest one that has a mark, if any. */
export function snippetOfHtml(html: string, marker: Marker): Snippet | undefined {
  const places = marker.likelyPlaces(html);
  let end = 0;
  const windows = places.map(({ start, isInside }, at) => {
    while (end < places.length && (places[end]?.start ?? 0) < start + AROUND.after) end++;
    return { start, isInside, weight: marker.weightOf(places.slice(at, end)) };
  });
  windows.sort((one, other) => other.weight - one.weight || Number(one.isInside) - Number(other.isInside));
  let best: Snippet | undefined;
  for (const { start, weight } of windows.slice(0, LOOKED_AT)) {
    if (best !== undefined && best.weight >= weight) break;
    const found = snippetAt(html, start, marker);
    if (found !== undefined && found.weight > (best?.weight ?? 0)) best = found;
  }
  return best;
}

/** Characters of HTML around a word that hold the text around it. */
const MARGIN = { before: 400, after: 500 };
/** Stands in no text. */
const SIGN = "\0";

/** The text around a place of HTML; undefined for one within a tag or an entity. */
function snippetAt(html: string, start: number, marker: Marker): Snippet | undefined {
  if (html[start - 1] === "&") return undefined;
  const before = html.slice(Math.max(0, start - MARGIN.before), start);
  const part = `${before}${SIGN}${html.slice(start, start + MARGIN.after)}`;
  // Its ends may be within tags.
  const signed = plainText(part.replace(/^[^<>]*>/, "").replace(/<[^<>]*$/, ""));
  const at = signed.indexOf(SIGN);
  if (at < 0) return undefined;
  const text = signed.replace(SIGN, "");
  const [from, to] = [beginningBefore(text, at), endBehind(text, at)];
  const { shown, weight } = wholeText(text.slice(from, to), marker);
  return { shown: [from > 0 && "…", shown, to < text.length && "…"], weight };
}

const END_OF_SENTENCE = /[.!?]["”’)]*\s+|[。！？]\s*/u;

/** A part begins with a sentence, or else with a word in scripts that put spaces between words. */
function beginningBefore(text: string, start: number): number {
  const from = start - AROUND.before;
  if (from <= 0) return 0;
  const before = text.slice(from, start);
  const end = END_OF_SENTENCE.exec(before);
  return from + (end === null ? before.indexOf(" ") + 1 : end.index + end[0].length);
}

function endBehind(text: string, start: number): number {
  const to = start + AROUND.after;
  if (to >= text.length) return text.length;
  const space = text.lastIndexOf(" ", to);
  return space <= start ? to : space;
}
