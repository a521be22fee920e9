/** The keys a block may hold; others belong to other programs and are ignored. */
export const KNOWN_KEYS = [
  "title",
  "published",
  "description",
  "tags",
  "date",
  "published_at",
  "series",
  "canonical_url",
  "cover_image",
  "video",
] as const;
export type KnownKey = (typeof KNOWN_KEYS)[number];

const FREE_TEXT = /^(title|description|tags)[ \t]*:[ \t]*(\S.*)$/i;
const QUOTED = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*(?:#.*)?$/;
const UNCLOSED = /^(?:"(?:[^"\\]|\\.)*|'(?:[^']|'')*)$/;
const BLOCK_SCALAR = /^[|>][-+0-9]*[ \t]*(?:#.*)?$/;
const COMMENT = /^#(?:[ \t]|$)/;
const HASH_TAG = /[\s,[]#[^\s#]/;
const CLOSED_LIST = /^\[.*\][ \t]*(?:#.*)?$/;

/**
 * Puts titles, descriptions and tags in quotes where people leave them out, so that colons, hashes and
 * the like mean themselves. The lines keep their numbers.
 */
export function repair(yaml: string): string {
  const lines = yaml.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const [, key, value] = FREE_TEXT.exec(lines[at] ?? "") ?? [];
    if (key === undefined || value === undefined || isLeftAlone(key, value)) continue;
    const continuation = takeContinuation(lines, at);
    lines[at] = `${key}: ${quote([plain(key, value), ...continuation].join(" "))}`;
  }
  return lines.join("\n");
}

function isLeftAlone(key: string, value: string): boolean {
  if (QUOTED.test(value) || UNCLOSED.test(value) || BLOCK_SCALAR.test(value) || COMMENT.test(value))
    return true;
  return key.toLowerCase() === "tags" && value.startsWith("[") && !HASH_TAG.test(value);
}

/** A comment may follow tags; in a title a hash is part of the text. */
function plain(key: string, value: string): string {
  if (key.toLowerCase() !== "tags") return value.trim();
  const tags = value.replace(/[ \t]#(?:[ \t].*)?$/, "").trim();
  return CLOSED_LIST.test(tags) ? tags.slice(1, tags.lastIndexOf("]")) : tags;
}

/** Takes the indented lines that go on with a value and leaves empty lines in their place. */
function takeContinuation(lines: string[], at: number): string[] {
  const taken: string[] = [];
  for (let next = at + 1; /^[ \t]+\S/.test(lines[next] ?? ""); next++) {
    taken.push((lines[next] ?? "").trim());
    lines[next] = "";
  }
  return taken;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
