export type Line = { number: number; bytes: Buffer } | { number: number; fault: string };

/** The longest line: far longer than any article, and small in memory. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Reads line by line, and holds at most one in memory. */
export async function* readLines(
  source: AsyncIterable<Buffer | string>,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<Line> {
  let number = 1;
  let held: Buffer[] = [];
  let size = 0;

  const hold = (part: Buffer) => {
    size += part.length;
    // A longer line is only measured.
    if (size > MAX_LINE_BYTES) held = [];
    else held.push(part);
  };
  const take = (): Line => {
    const line: Line =
      size > MAX_LINE_BYTES
        ? { number, fault: "the line is longer than 8 MiB: a record can't be that large" }
        : { number, bytes: Buffer.concat(held) };
    number += 1;
    held = [];
    size = 0;
    return line;
  };

  for await (const chunk of source) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      hold(bytes.subarray(start, end));
      yield take();
      start = end + 1;
    }
    hold(bytes.subarray(start));
    onBytes(bytes.length);
  }
  if (size > 0) yield take();
}
