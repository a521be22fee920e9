import { isObject } from "../fields/fields.ts";
import type { Entry, RecordType } from "../records/record-type.ts";
import type { Line } from "./lines.ts";
import { quote } from "../text/quote.ts";
import { faultOf } from "./shape.ts";
import { faultOfType } from "./types.ts";

export interface Bad {
  line: number;
  reason: string;
}

export type Fields = Record<string, unknown>;

/** `skip`: an empty line, or a type that isn't wanted. */
export type Parsed =
  | { type: RecordType; entry: Entry<Fields>; bytes: number }
  | { skip: "empty" | "unwanted" }
  | { bad: Bad };

export interface Wanted {
  types: Map<string, RecordType>;
  isSelection: boolean;
}

export function parseLine(line: Line, { types, isSelection }: Wanted): Parsed {
  const bad = (reason: string): Parsed => ({ bad: { line: line.number, reason } });
  if ("fault" in line) return bad(line.fault);
  const text = decode(line);
  if (text === undefined) return bad("the line isn't valid UTF-8: save the file in that encoding");
  if (text.trim() === "") return { skip: "empty" };
  if (isSelection && !isWanted(text, types)) return { skip: "unwanted" };

  const value = parseObject(text);
  if (value === undefined) return bad(`the line isn't a JSON object${placeOfFault(text)}`);
  const { type: name, ...fields } = value;
  if (typeof name !== "string") return bad("type is missing");
  const type = types.get(name);
  if (!type) return isSelection ? { skip: "unwanted" } : bad(faultOfType(name));
  const fault = faultOf(type.schema, fields);
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
function isWanted(text: string, types: Map<string, RecordType>): boolean {
  const name = /^\s*\{\s*"type"\s*:\s*"(\w+)"/.exec(text)?.[1];
  return name === undefined || types.has(name);
}

function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Nothing for valid JSON of another kind. */
function placeOfFault(text: string): string {
  const at = faultIn(text);
  if (at === undefined) return "";
  return at >= text.length
    ? ": it ends too early"
    : `: unexpected ${quote(text.charAt(at))} at character ${at + 1}`;
}

/** The index of the first character that can't be there; the text's length if it ends too early. */
function faultIn(text: string): number | undefined {
  const message = parseError(text);
  if (message === undefined) return undefined;
  const named = / at position (\d+)/.exec(message)?.[1];
  if (named !== undefined) return Number(named);
  if (!isUnexpected(text)) return text.length;
  // V8 names no position for an unexpected token, which is the last character of the shortest prefix that has it.
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isUnexpected(text.slice(0, middle))) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

const isUnexpected = (text: string) => parseError(text)?.startsWith("Unexpected token") ?? false;

function parseError(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
