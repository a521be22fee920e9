import { type AppError, invalid } from "../errors.ts";
import { checkDestination, type Policy } from "../net/destination.ts";
import { FetchFailure } from "../net/failure.ts";
import { countCharacters } from "../text/characters.ts";
import { quote } from "../text/quote.ts";
import { joinSentences } from "../text/sentences.ts";
import { isHttpUrl } from "../text/urls.ts";
import { EVENT_NAMES, type EventName } from "./schema.ts";

/** What its owner says of an endpoint. */
export interface Attributes {
  source: string;
  target_url: string;
  events: EventName[];
}

type Given = Record<string, unknown>;

const MAX_SOURCE = 100;
const MAX_TARGET_URL_BYTES = 2_000;

/** The refusal of an endpoint as it was asked for. */
export function failed(...sentences: string[]): AppError {
  return invalid(`Validation failed: ${joinSentences(sentences)}`);
}

/**
 * The attributes in a request's body.
 * @throws AppError invalid with everything that is wrong with them
 */
export function readAttributes(body: unknown, policy: Policy): Attributes {
  const given = isObject(body) ? body["webhook_endpoint"] : undefined;
  if (!isObject(given) || Object.keys(given).length === 0) {
    throw invalid("param is missing or the value is empty: webhook_endpoint");
  }
  const faults: string[] = [];
  const attributes = {
    source: textOf(given, "source", (text) => faultOfSource(text), faults),
    target_url: textOf(given, "target_url", (text) => faultOfTarget(text, policy), faults),
    events: eventsOf(given["events"], faults),
  };
  if (faults.length > 0) throw failed(...faults);
  return attributes;
}

function textOf(
  given: Given,
  name: "source" | "target_url",
  faultOf: (text: string) => string | undefined,
  faults: string[],
): string {
  const value = given[name] ?? "";
  const trimmed = typeof value === "string" ? value.trim() : "";
  const text = name === "target_url" ? normalUrl(trimmed) : trimmed;
  const fault = typeof value === "string" ? faultOf(text) : "must be a string";
  if (fault !== undefined) faults.push(`${name === "source" ? "Source" : "Target url"} ${fault}`);
  return text;
}

/** What is wrong with a source, in words that follow its name. */
export function faultOfSource(text: string): string | undefined {
  if (text === "") return "can't be blank";
  if (countCharacters(text) > MAX_SOURCE) return `is too long (maximum is ${MAX_SOURCE} characters)`;
  return /\p{Cc}/u.test(text) ? "contains a control character: leave it out" : undefined;
}

/** An address as every other way of writing it, without the fragment that is never sent; other texts as they are. */
export function normalUrl(text: string): string {
  if (!isHttpUrl(text)) return text;
  const url = new URL(text);
  url.hash = "";
  return url.href;
}

/** The same for an address that has to be one, wherever it leads. */
export function faultOfAddress(text: string): string | undefined {
  if (text === "") return "can't be blank";
  if (Buffer.byteLength(text) > MAX_TARGET_URL_BYTES) {
    return `is too long (maximum is ${MAX_TARGET_URL_BYTES} bytes)`;
  }
  if (isHttpUrl(text)) return undefined;
  return "must be a full https address without spaces and user name, such as https://example.com/hooks";
}

const PRIVATE = "leads into a private network: it must be an address of the public internet";

function faultOfTarget(text: string, policy: Policy): string | undefined {
  const fault = faultOfAddress(text);
  if (fault !== undefined) return fault;
  if (!policy.allowPrivateNetwork && !/^https:/i.test(text)) return "must start with https://";
  try {
    checkDestination(text, policy, { httpsOnly: true });
    return undefined;
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    if (error.kind === "address") return PRIVATE;
    return `can't be used: ${error.message.replace(/\.$/, "")}`;
  }
}

function eventsOf(value: unknown, faults: string[]): EventName[] {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) {
    faults.push(`Events can't be blank: give some of ${EVENT_NAMES.join(", ")}`);
    return [];
  }
  if (!Array.isArray(value) || !value.every((name) => typeof name === "string")) {
    faults.push('Events must be an array of strings, such as ["article_published"]');
    return [];
  }
  const unknown = unknownEvent(value);
  if (unknown !== undefined) faults.push(unknown);
  return namedEvents(value);
}

/** The events of these names, each once, without names of none. */
export function namedEvents(names: readonly string[]): EventName[] {
  return [...new Set(names.flatMap((name) => eventNamed(name) ?? []))];
}

/** A sentence for a name that is no event's. */
export function unknownEvent(names: readonly string[]): string | undefined {
  const name = names.find((name) => eventNamed(name) === undefined);
  return name === undefined
    ? undefined
    : `Events can't include ${quote(name)}: known are ${EVENT_NAMES.join(", ")}`;
}

/** The event of this name, which may also be written as `ArticleCreated`. */
function eventNamed(text: string): EventName | undefined {
  const isCamelCase = /^([A-Z][a-z]+)+$/.test(text);
  const name = isCamelCase ? text.replaceAll(/(?<=.)(?=[A-Z])/g, "_").toLowerCase() : text;
  return EVENT_NAMES.find((known) => known === name);
}

function isObject(value: unknown): value is Given {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
