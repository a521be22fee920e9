import { timestamp } from "../text/dates.ts";

/** All commands with results have it, for scripts. */
export interface JsonOption {
  json?: boolean;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Clears a terminal's line of progress, so that text can take its place. */
export const ERASE_LINE = "\r\u001b[K";

/** Prints a notice to standard error, so that scripts get the result alone. */
export function note(text: string): void {
  process.stderr.write(`${process.stderr.isTTY ? ERASE_LINE : ""}${text}\n`);
}

/** Prints a result: one line of JSON, or words. */
export function printResult({ json }: JsonOption, value: unknown, words: () => string): void {
  print(json ? JSON.stringify(value, withTimes) : words());
}

/** Times as in the API: in UTC, to the second. */
function withTimes(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const given = this[key];
  return given instanceof Date ? timestamp(given) : value;
}

/** A time for readers: in UTC, to the second. */
export function formatTime(time: Date | string): string {
  return new Date(time).toISOString().replace(/^(.{10})T(.{8}).*$/, "$1 $2 UTC");
}
