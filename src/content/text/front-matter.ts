import { parseDocument } from "yaml";
import { parseFileDate, parseMoment } from "../../platform/text/dates.ts";
import { checkBounds, KNOWN_KEYS, type KnownKey, problem, repair } from "./front-matter-yaml.ts";
import { parseTagList } from "../../platform/text/tags.ts";

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
  if (error) {
    const line = firstLine + repaired.slice(0, error.pos[0]).split("\n").length - 1;
    const fault = error.message.replace(/\.$/, "");
    throw problem(`Line ${line}: ${fault}; put values with special characters in quotes.`);
  }
  try {
    // A Map, because a key may be called __proto__.
    return document.toJS({ mapAsMap: true, maxAliasCount: 20 });
  } catch {
    throw problem("It uses an alias: put values that begin with * or & in quotes.");
  }
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

/** Reads each key. The first one with a fault, in this order, is refused. */
const READERS = {
  title: readText,
  description: readText,
  video: readText,
  series: readOptionalText,
  canonical_url: readOptionalText,
  cover_image: readOptionalText,
  published_at: readPublishedAt,
  // Often written by other programs, so "unreadable" is accepted.
  date: readDate,
  tags: readTags,
  published: readPublished,
} satisfies Record<KnownKey, (value: unknown, key: KnownKey) => unknown>;

/** Absent keys are left out; an empty one is "", [] or null. */
export type FrontMatter = {
  [Key in KnownKey]?: Exclude<ReturnType<(typeof READERS)[Key]>, undefined>;
};

function readAttributes(values: Map<KnownKey, unknown>): FrontMatter {
  const attributes: [string, unknown][] = [];
  for (const key of Object.keys(READERS) as KnownKey[]) {
    const value = values.has(key) ? READERS[key](values.get(key), key) : undefined;
    if (value !== undefined) attributes.push([key, value]);
  }
  return Object.fromEntries(attributes);
}

function readText(value: unknown, key: KnownKey): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") throw problem(`The value of ${key} must be a text.`);
  if (/[^\P{Cc}\t\n\r]/u.test(value) || !value.isWellFormed()) {
    throw problem(`The value of ${key} must not contain control characters.`);
  }
  return value.trim();
}

function readOptionalText(value: unknown, key: KnownKey): string | null {
  const text = readText(value, key);
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

function readPublished(value: unknown): boolean | undefined {
  const text = String(value).toLowerCase();
  return text === "true" || text === "false" ? text === "true" : undefined;
}

function readPublishedAt(value: unknown): Date | null {
  const text = readOptionalText(value, "published_at");
  if (text === null) return null;
  const moment = parseMoment(text);
  if (moment) return moment;
  throw problem(
    `The value of published_at must be a date such as 2026-03-02, 2026-03-02 09:15 or 2026-03-02T09:15:00Z.`,
  );
}

function readTags(value: unknown): string[] {
  const texts = [value].flat().map((tag) => readOptionalText(tag, "tags") ?? "");
  return parseTagList(texts.map((text) => text.replaceAll(/(^|[\s,])#(?=[^\s#])/g, "$1,")));
}
