import { ALLOWED_TAGS, DROPPED_WITH_CONTENT } from "./allowed-html.ts";
import { plainText } from "./plain-text.ts";
import { sanitise } from "./sanitise.ts";

/** Many times what a title or name needs. */
const MAX_CHARACTERS = 10_000;
/** An end tag, an attribute, a tag that has no end, or a character reference: text has none by chance. */
const MARKUP =
  /<\/[a-z][a-z0-9]*\s*>|<[a-z][a-z0-9]*\s[^<>=]*=[^<>]*>|<[a-z][a-z0-9]*\s*\/>|<(?:br|hr|wbr)>|&#?\w{1,31};/i;
const BEGINNING = /<(?:\/?([a-z][a-z0-9]*)(?=[\s/>]))?/gi;

/**
 * The text of a title, summary or name of another program, which may have written it as HTML or as text: `a < b` and
 * `Vec<T>` stay, and tags of HTML go.
 */
export function plainLine(given: string): string {
  const line = given.slice(0, MAX_CHARACTERS);
  if (!MARKUP.test(line)) return line;
  const html = line.replaceAll(BEGINNING, (beginning, name = "") =>
    isTag(name.toLowerCase(), line) ? beginning : beginning.replace("<", "&lt;"),
  );
  return plainText(sanitise(html));
}

/** A construct that would take the rest of the line needs an end. */
function isTag(name: string, line: string): boolean {
  if (DROPPED_WITH_CONTENT.includes(name)) return line.includes(`</${name}`);
  return name === "font" || ALLOWED_TAGS.includes(name);
}
