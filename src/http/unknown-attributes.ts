import { type Input, isObject } from "../platform/fields/fields.ts";
import { nearestName } from "../platform/nearest-name.ts";
import { quote } from "../platform/text/quote.ts";

/** The part of a body's schema that names its attributes. */
export interface Declared {
  properties?: Record<string, Declared>;
}

/** Clients may make up any number of names. */
const MAX_WARNINGS = 10;

/**
 * The body without the values of attributes that its operation doesn't declare, and a warning for each of those:
 * clients send more than the program knows, so they are never a refusal. Their names stay, for an object of unknown
 * names alone isn't empty.
 */
export function keepDeclared(body: unknown, declared: Declared): { body: unknown; warnings: string[] } {
  const { kept, unknown } = split(body, declared);
  const warnings = unknown.slice(0, MAX_WARNINGS).map((each) => sentenceAbout(each, declared));
  const more = unknown.length - warnings.length;
  if (more > 0)
    warnings.push(`${more} more unknown ${more === 1 ? "attribute was" : "attributes were"} ignored.`);
  return { body: kept, warnings };
}

interface Unknown {
  name: string;
  /** The names that are known in its place. */
  among: string[];
}

function split(value: unknown, { properties }: Declared): { kept: unknown; unknown: Unknown[] } {
  if (properties === undefined || !isObject(value)) return { kept: value, unknown: [] };
  const among = Object.keys(properties);
  const kept: Input = {};
  const unknown: Unknown[] = [];
  for (const name of Object.keys(value)) {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const part = declared && split(value[name], declared);
    kept[name] = part?.kept;
    unknown.push(...(part?.unknown ?? [{ name, among }]));
  }
  return { kept, unknown };
}

function sentenceAbout({ name, among }: Unknown, { properties = {} }: Declared): string {
  const [wrapper] =
    Object.entries(properties).find(([, { properties = {} }]) => Object.hasOwn(properties, name)) ?? [];
  if (wrapper !== undefined)
    return `Attribute ${quote(name)} was ignored: it belongs inside ${quote(wrapper)}.`;
  const near = nearestName(name, among);
  const advice = near === undefined ? "." : `: did you mean ${quote(near)}?`;
  return `Attribute ${quote(name)} is unknown and was ignored${advice}`;
}
