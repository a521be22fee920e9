import { type AppError, invalid } from "../../platform/errors.ts";
import { Lexer } from "yaml";

export function problem(detail: string): AppError {
  return invalid(`There was a problem parsing the front-matter YAML. ${detail}`);
}

/** Thousands of levels would end the process in the parser. */
const MAX_DEPTH = 20;
/** The parser takes 20 to 40 ms for so many. */
const MAX_TOKENS = 2500;

const DEEPER = new Set(["[", "{"]);
const HIGHER = new Set(["]", "}"]);
const NESTED_ON_LINE = /^[-?:]$/;

/** Refuses front matter that would be expensive to parse. @throws AppError invalid that names the line */
export function checkBounds(yaml: string, firstLine: number): void {
  let line = firstLine;
  let count = 0;
  let brackets = 0;
  let onLine = 0;
  for (const token of new Lexer().lex(yaml)) {
    if (++count > MAX_TOKENS) {
      throw problem(`Line ${line}: there are too many values; leave out what isn't about the article.`);
    }
    if (DEEPER.has(token)) brackets++;
    else if (HIGHER.has(token)) brackets = Math.max(0, brackets - 1);
    else if (brackets === 0 && NESTED_ON_LINE.test(token)) onLine++;
    if (brackets + onLine > MAX_DEPTH) {
      throw problem(`Line ${line}: it is nested more than ${MAX_DEPTH} levels deep; write simple values.`);
    }
    const breaks = token.split("\n").length - 1;
    line += breaks;
    if (breaks > 0) onLine = 0;
  }
}

/** Other keys belong to other programs. */
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

const FREE_TEXT = /^(title|description|tags|series)[ \t]*:[ \t]*(\S.*)$/i;
const QUOTED = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*(?:#.*)?$/;
const UNCLOSED = /^(?:"(?:[^"\\]|\\.)*|'(?:[^']|'')*)$/;
const BLOCK_SCALAR = /^[|>][-+0-9]*[ \t]*(?:#.*)?$/;
const COMMENT = /^#(?:[ \t]|$)/;
const HASH_TAG = /[\s,[]#[^\s#]/;
const INDENTED_KEY = new RegExp(`^(${KNOWN_KEYS.join("|")})[ \\t]*:(?:[ \\t]|$)`, "i");
const CLOSED_LIST = /^\[.*\][ \t]*(?:#.*)?$/;

/**
 * Quotes titles, descriptions, series and tags, so that colons and hashes mean themselves. Line numbers stay.
 * @throws AppError invalid when a known key would become a part of the value above it
 */
export function repair(yaml: string, firstLine: number): string {
  const lines = yaml.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const [, key, value] = FREE_TEXT.exec(lines[at] ?? "") ?? [];
    if (key === undefined || value === undefined || isLeftAlone(key, value)) continue;
    const continuation = takeContinuation(lines, at, firstLine);
    const text = [plain(key, value), ...continuation].join(" ");
    lines[at] = `${key}: '${text.replaceAll("'", "''")}'`;
  }
  return lines.join("\n");
}

function isLeftAlone(key: string, value: string): boolean {
  if (QUOTED.test(value) || UNCLOSED.test(value) || BLOCK_SCALAR.test(value) || COMMENT.test(value))
    return true;
  return key.toLowerCase() === "tags" && value.startsWith("[") && !HASH_TAG.test(value);
}

/** A comment may follow tags and a series; in a title a hash is part of the text. */
function plain(key: string, value: string): string {
  const name = key.toLowerCase();
  if (name !== "tags" && name !== "series") return value.trim();
  const text = value.replace(/[ \t]#(?:[ \t].*)?$/, "").trim();
  return name === "tags" && CLOSED_LIST.test(text) ? text.slice(1, text.lastIndexOf("]")) : text;
}

/** Joins the indented lines of a value, and leaves empty lines in their place. */
function takeContinuation(lines: string[], at: number, firstLine: number): string[] {
  const taken: string[] = [];
  for (let next = at + 1; /^[ \t]+\S/.test(lines[next] ?? ""); next++) {
    const text = (lines[next] ?? "").trim();
    const key = INDENTED_KEY.exec(text)?.[1];
    if (key !== undefined) {
      throw problem(`Line ${firstLine + next}: ${key} is indented; begin the line with it.`);
    }
    taken.push(text);
    lines[next] = "";
  }
  return taken;
}
