import { invalid } from "../errors.ts";
import { readId } from "../text/id.ts";
import { parseMoment } from "../text/moment.ts";
import { checkBody, checkLocation, checkTags, checkTitle } from "./attributes.ts";
import type { FieldFaults } from "./field-faults.ts";

export type Given = Record<string, unknown>;

/** What a request says of a listing. What it doesn't say is left out. */
export interface Attributes {
  title?: string;
  body_markdown?: string;
  tag_list?: string[];
  location?: string | null;
  expires_at?: Date | null;
}

/**
 * The attributes as they were sent, unread. Clients of old call them `classified_listing`.
 * @throws AppError invalid when there are none
 */
export function givenIn(body: unknown): Given {
  const outer = isObject(body) ? body : {};
  const given = outer["listing"] ?? outer["classified_listing"];
  if (!isObject(given) || Object.keys(given).length === 0) {
    throw invalid("param is missing or the value is empty: listing");
  }
  return given;
}

/** The organization that is asked for. What can't be one is refused with the attributes. */
export function organizationIn({ organization_id }: Given): number | undefined {
  const id = readId(organization_id);
  return Number.isNaN(id) ? undefined : id;
}

/** What is to be done beside, or instead of, an edit; undefined when that is nothing. */
export function actionIn<Action extends string>(
  { action }: Given,
  known: readonly Action[],
  faults: FieldFaults,
): Action | undefined {
  if (!isGiven(action)) return undefined;
  const found = known.find((one) => one === action);
  if (found === undefined) faults.add("action", `must be one of ${known.join(", ")}`);
  return found;
}

/** Whether something is said at all. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** Reads the attributes and notes everything that is wrong with them. Null is nothing said. */
export function readAttributes(given: Given, faults: FieldFaults): Attributes {
  const text = (name: string): string | undefined => {
    const value = given[name];
    if (typeof value === "string") return value;
    if (value !== undefined && value !== null) faults.add(name, "must be a string");
    return undefined;
  };
  const read = <Key extends keyof Attributes>(name: Key, check: (text: string) => Attributes[Key]) => {
    const value = text(name);
    return value === undefined ? {} : { [name]: check(value) };
  };
  if (Number.isNaN(readId(given["organization_id"]))) {
    faults.add("organization_id", "must be the number of an organization, such as 3");
  }
  return {
    ...read("title", (value) => checkTitle(value, faults)),
    ...read("body_markdown", (value) => checkBody(value, faults)),
    ...read("location", (value) => checkLocation(value, faults)),
    ...read("expires_at", (value) => readMoment(value, faults)),
    ...readTags(given, faults),
  };
}

/** Without these there is no listing. */
export function requireAll({ title, body_markdown }: Attributes, given: Given, faults: FieldFaults): void {
  if (title === undefined && isMissing(given["title"])) faults.add("title", "can't be blank");
  if (body_markdown === undefined && isMissing(given["body_markdown"])) {
    faults.add("body_markdown", "can't be blank");
  }
}

/** An empty text takes the date away. */
function readMoment(text: string, faults: FieldFaults): Date | null {
  if (text.trim() === "") return null;
  const moment = parseMoment(text);
  if (moment) return moment;
  faults.add("expires_at", "must be a date-time such as 2026-03-02T09:15:00Z");
  return null;
}

function readTags(given: Given, faults: FieldFaults): { tag_list?: string[] } {
  const tags = given["tags"] ?? given["tag_list"];
  if (tags === undefined || tags === null) return {};
  const isList = Array.isArray(tags) && tags.every((tag) => typeof tag === "string");
  if (typeof tags === "string" || isList) return { tag_list: checkTags(tags, faults) };
  faults.add("tag_list", 'must be an array of strings, such as ["garden", "beginners"]');
  return {};
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

function isObject(value: unknown): value is Given {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
