import { asTyped } from "../../platform/config.ts";
import type { Progress as Counted } from "../community-file/read-batches.ts";
import { timestamp } from "../../platform/text/dates.ts";

export interface JsonOption {
  json?: boolean;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

const ERASE_LINE = "\r\u001b[K";

/** Writes to standard error, so that scripts get only the result. */
export function note(text: string): void {
  process.stderr.write(`${process.stderr.isTTY ? ERASE_LINE : ""}${asTyped(text)}\n`);
}

export function printResult({ json }: JsonOption, value: unknown, words: () => string): void {
  print(json ? JSON.stringify(value, withTimes) : words());
}

function withTimes(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const original = this[key];
  return original instanceof Date ? timestamp(original) : value;
}

export const formatTime = (time: Date | string): string =>
  new Date(time).toISOString().replace(/^(.{10})T(.{8}).*$/, "$1 $2 UTC");

const INTERVAL_MS = 200;

export type Progress = ReturnType<typeof startProgress>;

/** One line on standard error, rewritten and finally erased. Only in a terminal. */
export function startProgress({ json }: JsonOption) {
  if (json || !process.stderr.isTTY) return { show: () => {}, end: () => {} };
  const startedAt = performance.now();
  let text: ((seconds: number) => string) | undefined;
  const draw = () => {
    const line = text?.((performance.now() - startedAt) / 1_000) ?? "";
    // A wrapped line couldn't be erased.
    process.stderr.write(ERASE_LINE + line.slice(0, (process.stderr.columns || 80) - 1));
  };
  const timer = setInterval(draw, INTERVAL_MS).unref();
  return {
    show(next: (seconds: number) => string): void {
      const isFirst = text === undefined;
      text = next;
      if (isFirst) draw();
    },
    end(): void {
      clearInterval(timer);
      if (text !== undefined) process.stderr.write(ERASE_LINE);
    },
  };
}

/** "Creating the tables … 3 s". */
export function step(name: string): (seconds: number) => string {
  return (seconds) => `${name} … ${Math.floor(seconds)} s`;
}

export function progressLine(
  { records, bytes }: Counted,
  { seconds, size }: { seconds: number; size: number | undefined },
): string {
  const rate = Math.round(records / Math.max(seconds, 0.001));
  const line = `${records.toLocaleString("en")} records, ${rate.toLocaleString("en")} per second`;
  if (size === undefined || bytes === 0) return line;
  const left = Math.ceil((seconds * Math.max(0, size - bytes)) / bytes);
  return `${line}, ${Math.floor((100 * Math.min(bytes, size)) / size)} %, ${left < 60 ? `${left} s` : `${Math.ceil(left / 60)} min`} left`;
}
