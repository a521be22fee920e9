import { jsonFault } from "../text/json-fault.ts";

/** A longer text, which would cost more than 20 ms, is only called broken. */
const MAX_LENGTH = 1024 * 1024;

/** Where a body stops being JSON, in words. */
export function bodyFault(text: string): string {
  if (text.length > MAX_LENGTH) return "The body isn't valid JSON.";
  const fault = jsonFault(text, (at) => {
    const before = text.slice(0, at);
    return `line ${before.split("\n").length}, column ${at - before.lastIndexOf("\n")}`;
  });
  return `The body isn't valid JSON: ${fault}.`;
}

/** Where bytes stop being UTF-8, in words. */
export function utf8Fault(bytes: Buffer): string {
  // Decoding replaces the first wrong byte.
  const replaced = Buffer.from(bytes.toString("utf8"));
  let at = 0;
  while (bytes[at] === replaced[at]) at++;
  return `The body isn't UTF-8: byte ${at + 1} is wrong.`;
}
