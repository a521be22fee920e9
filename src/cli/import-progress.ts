import type { Progress } from "../community-file/import.ts";
import type { JsonOption } from "./output.ts";

const INTERVAL_MS = 200;
const ERASE_LINE = "\r\u001b[K";

/**
 * One line that is written over: records, rate and, when the size is known, the time left. Nothing
 * where nobody watches.
 */
export function showProgress(
  size: number | undefined,
  { json }: JsonOption,
): { show: (progress: Progress) => void; end: () => void } {
  if (json || !process.stderr.isTTY) return { show: () => {}, end: () => {} };
  const startedAt = performance.now();
  let shownAt = 0;
  return {
    show(progress) {
      const now = performance.now();
      if (now - shownAt < INTERVAL_MS) return;
      shownAt = now;
      process.stderr.write(ERASE_LINE + progressLine(progress, { seconds: (now - startedAt) / 1_000, size }));
    },
    end() {
      if (shownAt > 0) process.stderr.write(ERASE_LINE);
    },
  };
}

export function progressLine(
  { records, bytes }: Progress,
  { seconds, size }: { seconds: number; size: number | undefined },
): string {
  const rate = Math.round(records / Math.max(seconds, 0.001));
  const line = `${records.toLocaleString("en")} records, ${rate.toLocaleString("en")} per second`;
  if (size === undefined || bytes === 0) return line;
  const left = Math.ceil((seconds * Math.max(0, size - bytes)) / bytes);
  return `${line}, ${Math.floor((100 * Math.min(bytes, size)) / size)} %, ${left < 60 ? `${left} s` : `${Math.ceil(left / 60)} min`} left`;
}
