import { isObject } from "../../platform/fields/fields.ts";
import type { Entry, RecordType } from "../../community/records/record-type.ts";
import type { Line } from "./lines.ts";
import { jsonFault } from "../../content/text/json-fault.ts";
import { quote } from "../../platform/text/quote.ts";
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
  const read = textOf(line);
  if ("fault" in read) return bad(read.fault);
  if (read.text.trim() === "") return { skip: "empty" };
  if (isSelection && !isSelected(read.text, types)) return { skip: "other" };

  const parsed = recordIn(read.text);
  if ("fault" in parsed) return bad(parsed.fault);
  const { type: name, ...fields } = parsed.record;
  const type = types.get(name);
  if (!type) return isSelection ? { skip: "other" } : bad(faultOfType(name));
  const fault = type.faultOf(fields);
  if (fault !== undefined) return bad(`${label(type, fields)}: ${fault}`);
  return { type, entry: { line: line.number, fields }, bytes: read.bytes };
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

export function textOf(line: Line): { text: string; bytes: number } | { fault: string } {
  if ("fault" in line) return line;
  try {
    return { text: DECODER.decode(line.bytes), bytes: line.bytes.length };
  } catch {
    return { fault: "the line isn't valid UTF-8: save the file in that encoding" };
  }
}

/** The attributes of a record with their type, whatever they are. */
export function recordIn(text: string): { record: Fields & { type: string } } | { fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const place = jsonFault(text, (at) => `character ${at + 1}`);
    return { fault: `the line isn't a JSON object: ${place}` };
  }
  if (!isObject(value)) return { fault: "the line isn't a JSON object" };
  const { type } = value;
  return typeof type === "string" ? { record: { ...value, type } } : { fault: "type is missing" };
}

/** A type at the start of the line saves parsing it. */
function isSelected(text: string, types: Map<string, RecordType>): boolean {
  const name = /^\s*\{\s*"type"\s*:\s*"(\w+)"/.exec(text)?.[1];
  return name === undefined || types.has(name);
}
