import { francAll } from "franc-min";
import { plainText } from "./plain-text.ts";

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
