import { invalid } from "../errors.ts";
import { checkBodySize } from "../text/body-size.ts";
import { countCharacters } from "../text/characters.ts";
import { readId } from "../text/id.ts";
import { parseMoment } from "../text/moment.ts";
import {
  checkedCanonicalUrl,
  checkedDescription,
  checkedTags,
  checkedTitle,
  checkedUrl,
} from "./attributes.ts";
import { Faults } from "./faults.ts";

/** What a request says of an article. What it doesn't say is left out; what it empties is "" or null. */
export interface Attributes {
  title?: string | undefined;
  body_markdown?: string | undefined;
  published?: boolean | undefined;
  description?: string | undefined;
  tags?: string[] | undefined;
  main_image?: string | null | undefined;
  canonical_url?: string | null | undefined;
  video_source_url?: string | null | undefined;
  series?: string | null | undefined;
  published_at?: Date | undefined;
  /** NaN for what is no id: it is nobody's collection. */
  collection_id?: number | null | undefined;
  /** NaN for what is no id. */
  organization_id?: number | undefined;
}

type Given = Record<string, unknown>;

/**
 * The attributes as they were sent, unread.
 * @throws AppError invalid when there is no object of them
 */
export function givenIn(body: unknown): Given {
  const given: unknown = isObject(body) ? body["article"] : undefined;
  if (!isObject(given)) {
    throw invalid(`article param must be a JSON object. You provided article as a ${kindOf(given)}`);
  }
  if (Object.keys(given).length === 0) throw invalid("param is missing or the value is empty: article");
  return given;
}

/** @throws AppError invalid that names everything that is wrong */
export function readAttributes(given: Given): Attributes {
  const faults = new Faults();
  const read = <T>(name: string, reader: (value: unknown, name: string) => T): T | undefined =>
    given[name] === undefined ? undefined : faults.check(() => reader(given[name], name));
  const attributes: Attributes = {
    title: read("title", readTitle),
    body_markdown: read("body_markdown", readBody),
    published: read("published", readFlag),
    description: read("description", (value, name) => checkedDescription(readText(value, name))),
    tags: read("tags", readTags),
    main_image: read("main_image", (value, name) => checkedUrl("Main image", readText(value, name))),
    canonical_url: read("canonical_url", (value, name) => checkedCanonicalUrl(readText(value, name))),
    video_source_url: read("video_source_url", (value, name) =>
      checkedUrl("Video source url", readText(value, name)),
    ),
    series: read("series", (value, name) => checkedSeries(readText(value, name))),
    published_at: read("published_at", readMoment),
    collection_id: read("collection_id", (value) => (value === null ? null : readId(value))),
    organization_id: read("organization_id", readId),
  };
  faults.throwIfAny();
  return attributes;
}

const MAX_SERIES = 200;

/** The name of a series as it is stored; null for none. @throws AppError invalid when it is too long */
export function checkedSeries(name: string | null | undefined): string | null {
  const text = name?.trim() ?? "";
  if (text === "") return null;
  if (countCharacters(text) > MAX_SERIES) {
    throw invalid(`Series is too long (maximum is ${MAX_SERIES} characters)`);
  }
  return text;
}

function readTitle(value: unknown, name: string): string {
  return checkedTitle(readText(value, name));
}

function readBody(value: unknown, name: string): string {
  if (value === null) throw invalid(NO_BODY);
  const text = readText(value, name);
  checkBodySize(text);
  return text;
}

export const NO_BODY = "Body markdown is missing: give a text, which may be empty";

/** Null empties. */
function readText(value: unknown, name: string): string {
  if (value === null) return "";
  if (typeof value !== "string") throw invalid(`${name} must be a string, not ${quotedKind(value)}`);
  return value;
}

function readFlag(value: unknown, name: string): boolean {
  if (typeof value !== "boolean") throw invalid(`${name} must be true or false, not ${quotedKind(value)}`);
  return value;
}

/** Null is nothing said: clients send it for what they don't know. */
function readTags(value: unknown, name: string): string[] | undefined {
  if (value === null) return undefined;
  if (typeof value === "string") return checkedTags(value);
  if (Array.isArray(value) && value.every((tag) => typeof tag === "string")) return checkedTags(value);
  throw invalid(`${name} must be an array of strings, such as ["garden", "beginners"]`);
}

function readMoment(value: unknown, name: string): Date | undefined {
  if (value === null || value === "") return undefined;
  const moment = typeof value === "string" ? parseMoment(value) : undefined;
  if (!moment) throw invalid(`${name} must be a date-time such as 2026-03-02T09:15:00Z`);
  return moment;
}

function isObject(value: unknown): value is Given {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function quotedKind(value: unknown): string {
  const kind = kindOf(value);
  return kind === "null" ? kind : `${kind === "array" || kind === "object" ? "an" : "a"} ${kind}`;
}
