const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

/** For output of `sanitise`, which has no other entities. */
export function unescape(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** Anything but a single space. */
const LONG_SPACE = /[^\S ]\s*| \s+/g;

/**
 * One line, without the signs of footnotes. Only for output of `sanitise`, which has no other entities and no bare
 * angle brackets.
 */
export function plainText(html: string): string {
  const text = html
    .replaceAll(/<(sup|a) class="footnote-(?:ref|back)"[\s\S]*?<\/\1>/g, "")
    .replaceAll(/<\/?(?:a|b|strong|i|em|u|s|code|span|sub|sup|small|mark|abbr|kbd|del|ins|wbr)\b[^>]*>/g, "")
    .replaceAll(/<[^>]*>/g, " ");
  return unescape(text).replaceAll(LONG_SPACE, " ").trim();
}

const MAX_CHARACTERS = 104;
const ELLIPSIS = "...";
/** A text without spaces is cut at the limit. */
const MIN_KEPT = 60;

/** The description of a text without its own: one line of at most 104 characters. */
export function describe(text: string, authorName: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line === "") return `A post by ${authorName}`;

  // Spares taking a long text apart.
  const characters = Array.from(line.slice(0, (MAX_CHARACTERS + 1) * 2));
  if (characters.length <= MAX_CHARACTERS) return line;
  const length = MAX_CHARACTERS - ELLIPSIS.length;
  const boundary = characters.lastIndexOf(" ", length);
  const end = boundary >= MIN_KEPT ? boundary : length;
  return characters.slice(0, end).join("").trimEnd() + ELLIPSIS;
}
