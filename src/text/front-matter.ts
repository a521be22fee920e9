import { parseDocument } from "yaml";
import { parseFileDate, parseMoment } from "./dates.ts";
import { checkBounds, KNOWN_KEYS, type KnownKey, problem, repair } from "./front-matter-yaml.ts";
import { parseTagList } from "./tags.ts";

/** Without absent keys; an empty one is "", [] or null. */
export interface FrontMatter {
  title?: string;
  published?: boolean;
  description?: string;
  tags?: string[];
  /** Often written by other programs, so "unreadable" is accepted. */
  date?: Date | "unreadable" | null;
  published_at?: Date | null;
  series?: string | null;
  canonical_url?: string | null;
  cover_image?: string | null;
  video?: string;
}

/** Bounds the time of parsing. */
const MAX_BLOCK_CHARACTERS = 16_384;

const OPENING = /^\ufeff?(?:[ \t]*\r?\n)*---[ \t]*\r?\n/;
const CLOSING = /^---[ \t]*(?:\r?\n|$)/m;

/**
 * Splits off a block between two `---` lines at the top, with a YAML mapping or nothing. Other blocks are horizontal
 * rules. Broken YAML is refused if it looks meant: its first line, or any line that begins with a known key, reads
 * `key:`.
 */
export function parseFrontMatter(markdown: string) {
  const block = findBlock(markdown);
  const values = block && parseMapping(block.yaml, block.firstLine);
  const hasBlock = block !== undefined && values !== undefined;
  const attributes: FrontMatter = hasBlock ? readAttributes(values) : {};
  return { attributes, body: hasBlock ? markdown.slice(block.end) : markdown, hasBlock };
}

function findBlock(markdown: string) {
  const opening = OPENING.exec(markdown)?.[0];
  if (opening === undefined) return undefined;
  const rest = markdown.slice(opening.length);
  const closing = CLOSING.exec(rest);
  if (closing === null) return undefined;
  return {
    yaml: rest.slice(0, closing.index).replaceAll("\r\n", "\n"),
    firstLine: opening.split("\n").length,
    end: opening.length + closing.index + closing[0].length,
  };
}

/** Undefined without a mapping. */
function parseMapping(yaml: string, firstLine: number): Map<KnownKey, unknown> | undefined {
  if (yaml.trim() === "") return new Map();
  const isMeant = looksMeant(yaml);
  if (yaml.length > MAX_BLOCK_CHARACTERS) {
    if (!isMeant) return undefined;
    throw problem(
      `It is longer than ${MAX_BLOCK_CHARACTERS} characters: close it with a line --- where it ends.`,
    );
  }
  try {
    return knownValues(parseYaml(yaml, firstLine));
  } catch (error) {
    if (isMeant) throw error;
    return undefined;
  }
}

function looksMeant(yaml: string): boolean {
  const firstLine = yaml.split("\n").find((line) => /^\s*[^\s#]/.test(line)) ?? "";
  return /^[A-Za-z_][\w-]*[ \t]*:(\s|$)/.test(firstLine) || KNOWN_LINE.test(yaml);
}

const KNOWN_LINE = new RegExp(`^(?:${KNOWN_KEYS.join("|")})[ \\t]*:`, "im");

/** `1.10` and `yes` stay texts. */
function parseYaml(yaml: string, firstLine: number): unknown {
  const repaired = repair(yaml, firstLine);
  checkBounds(repaired, firstLine);
  const document = parseDocument(repaired, {
    schema: "failsafe",
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  const error = document.errors[0];
  if (error) throw problem(`Line ${lineOf(repaired, error.pos[0], firstLine)}: ${explain(error.message)}`);
  try {
    // A Map, because a key may be called __proto__.
    return document.toJS({ mapAsMap: true, maxAliasCount: 20 });
  } catch {
    throw problem("It uses an alias: put values that begin with * or & in quotes.");
  }
}

function lineOf(yaml: string, position: number, firstLine: number): number {
  return firstLine + yaml.slice(0, position).split("\n").length - 1;
}

function explain(message: string): string {
  return `${message.replace(/\.$/, "")}; put values with special characters in quotes.`;
}

function knownValues(content: unknown): Map<KnownKey, unknown> | undefined {
  if (!(content instanceof Map)) return undefined;
  const values = new Map<KnownKey, unknown>();
  for (const [name, value] of content) {
    const key = KNOWN_KEYS.find((known) => known === String(name).toLowerCase());
    if (key !== undefined && (name === key || !content.has(key))) values.set(key, value);
  }
  return values;
}

function readAttributes(values: Map<KnownKey, unknown>): FrontMatter {
  const attributes: FrontMatter = {};
  for (const key of ["title", "description", "video"] as const) {
    if (values.has(key)) attributes[key] = readText(key, values.get(key));
  }
  for (const key of ["series", "canonical_url", "cover_image"] as const) {
    if (values.has(key)) attributes[key] = readOptionalText(key, values.get(key));
  }
  if (values.has("published_at")) attributes.published_at = readPublishedAt(values.get("published_at"));
  if (values.has("date")) attributes.date = readDate(values.get("date"));
  if (values.has("tags")) attributes.tags = readTags(values.get("tags"));
  const published = String(values.get("published")).toLowerCase();
  if (published === "true" || published === "false") attributes.published = published === "true";
  return attributes;
}

function readText(key: KnownKey, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") throw problem(`The value of ${key} must be a text.`);
  if (/[^\P{Cc}\t\n\r]/u.test(value) || !value.isWellFormed()) {
    throw problem(`The value of ${key} must not contain control characters.`);
  }
  return value.trim();
}

function readOptionalText(key: KnownKey, value: unknown): string | null {
  const text = readText(key, value);
  return isNothing(text) ? null : text;
}

function isNothing(text: string): boolean {
  return ["", "null", "~"].includes(text);
}

function readDate(value: unknown): Date | "unreadable" | null {
  if (value !== null && typeof value !== "string") return "unreadable";
  const text = value?.trim() ?? "";
  return isNothing(text) ? null : (parseFileDate(text) ?? "unreadable");
}

function readPublishedAt(value: unknown): Date | null {
  const text = readOptionalText("published_at", value);
  if (text === null) return null;
  const moment = parseMoment(text);
  if (moment) return moment;
  throw problem(
    `The value of published_at must be a date such as 2026-03-02, 2026-03-02 09:15 or 2026-03-02T09:15:00Z.`,
  );
}

function readTags(value: unknown): string[] {
  const texts = Array.isArray(value)
    ? value.map((tag) => readOptionalText("tags", tag) ?? "")
    : [readOptionalText("tags", value) ?? ""];
  return parseTagList(texts.map((text) => text.replaceAll(/(^|[\s,])#(?=[^\s#])/g, "$1,")));
}
