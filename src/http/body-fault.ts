import { endOfJson } from "../text/json-fault.ts";

/** A longer text, which would cost more than 20 ms, is only called broken. */
const MAX_LENGTH = 1024 * 1024;

/** Where a text stops being JSON, in words. */
export function jsonFault(text: string): string {
  if (text.length > MAX_LENGTH) return "The body isn't valid JSON.";
  const at = endOfJson(text);
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  const column = at - before.lastIndexOf("\n");
  const place = `at line ${line}, column ${column}`;
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return at >= text.length
    ? `The body isn't complete JSON: it ends ${place}.`
    : `The body isn't valid JSON: unexpected ${JSON.stringify(character)} ${place}.`;
}

/** Where bytes stop being UTF-8, in words. */
export function utf8Fault(bytes: Buffer): string {
  // Decoding replaces the first wrong byte.
  const replaced = Buffer.from(bytes.toString("utf8"));
  let at = 0;
  while (bytes[at] === replaced[at]) at++;
  return `The body isn't UTF-8: byte ${at + 1} is wrong.`;
}
