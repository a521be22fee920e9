import { isObject } from "../fields/fields.ts";
import type { Entry, RecordType } from "../records/record-type.ts";
import type { Line } from "./lines.ts";
import { jsonFault } from "../text/json-fault.ts";
import { quote } from "../text/quote.ts";
import { faultOfType } from "./types.ts";

export interface Bad {
  line: number;
  reason: string;
}

export type Fields = Record<string, unknown>;

/** `skip`: an empty line, or a type that isn't selected. */
export type Parsed =
  | { type: RecordType; entry: Entry<Fields>; bytes: number }
  | { skip: "empty" | "other" }
  | { bad: Bad };

export interface Selection {
  types: Map<string, RecordType>;
  isSelection: boolean;
}

export function parseLine(line: Line, { types, isSelection }: Selection): Parsed {
  const bad = (reason: string): Parsed => ({ bad: { line: line.number, reason } });
  if ("fault" in line) return bad(line.fault);
  const text = decode(line);
  if (text === undefined) return bad("the line isn't valid UTF-8: save the file in that encoding");
  if (text.trim() === "") return { skip: "empty" };
  if (isSelection && !isSelected(text, types)) return { skip: "other" };

  const value = parseJson(text);
  if (!isObject(value)) return bad(`the line isn't a JSON object${placeOfFault(text, value)}`);
  const { type: name, ...fields } = value;
  if (typeof name !== "string") return bad("type is missing");
  const type = types.get(name);
  if (!type) return isSelection ? { skip: "other" } : bad(faultOfType(name));
  const fault = type.faultOf(fields);
  if (fault !== undefined) return bad(`${label(type, fields)}: ${fault}`);
  return { type, entry: { line: line.number, fields }, bytes: line.bytes.length };
}

export function label(type: RecordType, fields: Fields): string {
  try {
    return `${type.type} ${quote(type.keyOf(fields))}`;
  } catch {
    // The key itself may be the fault.
    return type.type;
  }
}

const DECODER = new TextDecoder("utf-8", { fatal: true });

function decode({ bytes }: { bytes: Buffer }): string | undefined {
  try {
    return DECODER.decode(bytes);
  } catch {
    return undefined;
  }
}

/** A type at the start of the line saves parsing it. */
function isSelected(text: string, types: Map<string, RecordType>): boolean {
  const name = /^\s*\{\s*"type"\s*:\s*"(\w+)"/.exec(text)?.[1];
  return name === undefined || types.has(name);
}

/** The value of a text; undefined if it isn't JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Where a text stops being JSON; empty for JSON that is no record. */
function placeOfFault(text: string, value: unknown): string {
  if (value !== undefined) return "";
  return `: ${jsonFault(text, (at) => `character ${at + 1}`)}`;
}
