import { endOf } from "./extent.ts";
import type { Format } from "./formats.ts";

/** Browsers and interpreters that guess take such a file for a page or a script. */
const MARKUP = /<(?:script|html|iframe|!doctype|\?php)[\s>]/i;

/** Programs find RAR and 7-Zip anywhere in a file. */
const ARCHIVES = [Buffer.from("526172211a07", "hex"), Buffer.from("377abcaf271c", "hex")];

/** The last record of a ZIP ends with a comment of a stated length. */
const ZIP_END = Buffer.from("PK\x05\x06", "latin1");
const ZIP_TAIL_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;

/** Readers of PDF look for its beginning this far. */
const PDF_SEARCH_BYTES = 1_024;

/** The other meaning of a file, in words; undefined for a plain picture. */
export function disguised(format: Format, bytes: Buffer): string | undefined {
  if (bytes.subarray(0, PDF_SEARCH_BYTES).includes("%PDF-")) return "a PDF";
  if (isArchive(bytes)) return "an archive";
  const text = bytes.toString("latin1");
  if (MARKUP.test(text)) return "a web page or script";
  const end = endOf(format, bytes);
  // Padding of zeros and line ends is harmless.
  const hasMore = end !== undefined && /[^\0\s]/.test(text.slice(end));
  return hasMore ? "other data behind the picture" : undefined;
}

/** ZIP is read from its end. */
function isArchive(bytes: Buffer): boolean {
  if (ARCHIVES.some((mark) => bytes.includes(mark))) return true;
  const first = Math.max(0, bytes.length - ZIP_TAIL_BYTES - MAX_COMMENT_BYTES);
  for (let at = bytes.indexOf(ZIP_END, first); at >= 0; at = bytes.indexOf(ZIP_END, at + 1)) {
    if (isZipEnd(bytes.subarray(at))) return true;
  }
  return false;
}

/**
 * The signature occurs in one of 65,000 honest pictures by chance. A ZIP's is followed by a comment up to the end or,
 * for lenient readers, states one volume that holds everything.
 */
function isZipEnd(tail: Buffer): boolean {
  if (tail.length < ZIP_TAIL_BYTES) return false;
  const isWhole = tail.readUInt32LE(4) === 0 && tail.readUInt16LE(8) === tail.readUInt16LE(10);
  return isWhole || ZIP_TAIL_BYTES + tail.readUInt16LE(20) === tail.length;
}
