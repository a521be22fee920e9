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
  print(json ? JSON.stringify(value) : words());
}

/** "1 article", "2 articles". */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
