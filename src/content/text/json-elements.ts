import { invalid } from "../../platform/errors.ts";
import { jsonFault } from "./json-fault.ts";
import { quote } from "../../platform/text/quote.ts";

/** Deeper than any program writes, and `JSON.parse` of an element recurses. */
const MAX_DEPTH = 200;
const MAX_KEY_BYTES = 200;
const MAX_ELEMENT_BYTES = 32 * 1024 * 1024;

interface Options {
  name: string;
  /** Whether the elements of the array at this path are wanted: keys joined by dots, as in `data.posts`. */
  isWanted: (path: string) => boolean;
}

export interface Element {
  path: string;
  value: unknown;
}

interface Level {
  closing: number;
  path: string;
  isWanted: boolean;
  awaitsKey: boolean;
}

const [SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [0x20, 0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Reads a JSON file of any size, and holds one element of the wanted arrays at a time. Arrays add nothing to a path.
 * @throws AppError invalid for a file that isn't JSON, is cut, or is nested too deeply
 */
export async function* jsonElements(
  source: AsyncIterable<Buffer>,
  { name, isWanted }: Options,
): AsyncGenerator<Element> {
  const scanner = createScanner(name, isWanted);
  /** The beginning of an element that ends in a later chunk. */
  let held: Buffer[] | undefined;
  let size = 0;
  for await (const chunk of source) {
    let start = 0;
    const hold = (end: number) => {
      size += end - start;
      if (size > MAX_ELEMENT_BYTES) throw faultOf(name, "one of its elements has more than 32 MiB");
      held?.push(chunk.subarray(start, end));
    };
    for (let at = 0; at < chunk.length; at += 1) {
      const found = scanner.next(chunk[at] as number);
      if (found === undefined) continue;
      if (found === "begins") [held, size, start] = [[], 0, at];
      else {
        hold(at);
        yield { path: found.ended, value: parse(Buffer.concat(held ?? []), name) };
        held = undefined;
      }
    }
    if (held) hold(chunk.length);
  }
  if (!scanner.isWhole()) throw faultOf(name, "it ends too early, as a file does that was cut");
}

/** Follows the structure byte by byte, and tells where elements begin and end. */
function createScanner(name: string, isWanted: Options["isWanted"]) {
  const levels: Level[] = [];
  let isHolding = false;
  let key = "";
  let keyBytes: number[] | undefined;
  let isString = false;
  let isEscaped = false;

  function open(closing: number, above: Level | undefined): void {
    if (levels.length >= MAX_DEPTH) throw faultOf(name, `it is nested more than ${MAX_DEPTH} levels deep`);
    const path = pathIn(above, key);
    const isTable = closing === CLOSE_ARRAY && !isHolding && !above?.isWanted && isWanted(path);
    levels.push({ closing, path, isWanted: isTable, awaitsKey: closing === CLOSE_OBJECT });
  }

  function inString(byte: number): undefined {
    if (isEscaped) isEscaped = false;
    else if (byte === BACKSLASH) isEscaped = true;
    else if (byte === QUOTE) {
      isString = false;
      if (keyBytes) key = Buffer.from(keyBytes).toString();
      keyBytes = undefined;
    }
    if (keyBytes && keyBytes.length < MAX_KEY_BYTES) keyBytes.push(byte);
    return undefined;
  }

  function structure(byte: number, level: Level | undefined): void {
    if (byte === QUOTE) {
      isString = true;
      if (level?.awaitsKey) keyBytes = [];
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      open(byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY, level);
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (levels.pop()?.closing !== byte) throw faultOf(name, "it isn't JSON: a bracket closes nothing");
    } else if (level?.closing === CLOSE_OBJECT && (byte === COLON || byte === COMMA)) {
      level.awaitsKey = byte === COMMA;
    }
  }

  return {
    next(byte: number): "begins" | { ended: string } | undefined {
      if (isString) return inString(byte);
      const level = levels.at(-1);
      structure(byte, level);
      if (!level?.isWanted || byte <= SPACE) return undefined;
      const isBetween = byte === COMMA || byte === CLOSE_ARRAY;
      if (isBetween !== isHolding) return undefined;
      isHolding = !isBetween;
      return isHolding ? "begins" : { ended: level.path };
    },
    isWhole: () => !isString && levels.length === 0,
  };
}

function pathIn(above: Level | undefined, key: string): string {
  const own = above?.closing === CLOSE_OBJECT ? key : "";
  return [above?.path, own].filter(Boolean).join(".");
}

const faultOf = (name: string, words: string) => invalid(`${name} can't be read: ${words}.`);

const UTF8 = new TextDecoder("utf-8", { fatal: true });

function parse(bytes: Buffer, name: string): unknown {
  let text = "";
  try {
    text = UTF8.decode(bytes);
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw faultOf(name, "it isn't valid UTF-8");
    const fault = jsonFault(text, (at) => `character ${at + 1}`);
    throw faultOf(name, `the element that begins with ${quote(text.slice(0, 40))} isn't JSON: ${fault}`);
  }
}
