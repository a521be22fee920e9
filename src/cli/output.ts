import { timestamp } from "../text/dates.ts";

export interface JsonOption {
  json?: boolean;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export const ERASE_LINE = "\r\u001b[K";

/** To standard error, so that scripts get only the result. */
export function note(text: string): void {
  process.stderr.write(`${process.stderr.isTTY ? ERASE_LINE : ""}${text}\n`);
}

export function printResult({ json }: JsonOption, value: unknown, words: () => string): void {
  print(json ? JSON.stringify(value, withTimes) : words());
}

function withTimes(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const given = this[key];
  return given instanceof Date ? timestamp(given) : value;
}

export function formatTime(time: Date | string): string {
  return new Date(time).toISOString().replace(/^(.{10})T(.{8}).*$/, "$1 $2 UTC");
}
