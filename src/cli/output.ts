import { timestamp } from "../text/timestamp.ts";

/** Every command has it, so that scripts need not read sentences. */
export interface JsonOption {
  json?: boolean;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** In a terminal: where progress may stand, text begins here. */
export const ERASE_LINE = "\r\u001b[K";

/** A notice while a command works; scripts get the result alone. */
export function note(text: string): void {
  process.stderr.write(`${process.stderr.isTTY ? ERASE_LINE : ""}${text}\n`);
}

/** Prints the result: as one line of JSON, or in words. */
export function printResult({ json }: JsonOption, value: unknown, words: () => string): void {
  print(json ? JSON.stringify(value, withTimes) : words());
}

/** Times as the API has them: in UTC, to the second. */
function withTimes(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const given = this[key];
  return given instanceof Date ? timestamp(given) : value;
}

/** Prints a list: as one line of JSON or with a line or more for each, and in words what there is none of. */
export function printList<T>(
  options: JsonOption,
  values: readonly T[],
  { toLines, empty }: { toLines: (value: T) => string | string[]; empty: string },
): void {
  printResult(options, values, () => values.flatMap(toLines).join("\n") || empty);
}

/** "1 article", "2 articles". */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
