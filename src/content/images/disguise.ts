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
  return hasMore ? "other data behind the image" : undefined;
}

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

/**
 * Where a picture states that it ends; undefined when its parts don't add up. JPEG may have more: most phones append
 * data.
 */
function endOf(format: Format, bytes: Buffer): number | undefined {
  try {
    return END[format](bytes);
  } catch (error) {
    // The file ends before its format does.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const END: Record<Format, (bytes: Buffer) => number | undefined> = {
  jpeg: (bytes) => bytes.length,
  png: endOfPng,
  gif: endOfGif,
  // Chunks have an even length.
  webp: (bytes) => 8 + bytes.readUInt32LE(4) + (bytes.readUInt32LE(4) % 2),
  avif: endOfBoxes,
};

/** Chunks of length, name, content and checksum. */
function endOfPng(bytes: Buffer): number {
  for (let at = 8; ;) {
    const isLast = bytes.toString("latin1", at + 4, at + 8) === "IEND";
    at += 12 + bytes.readUInt32BE(at);
    if (isLast) return at;
  }
}

const GIF_IMAGE = 0x2c;
const GIF_EXTENSION = 0x21;
const GIF_TRAILER = 0x3b;

/** A screen, images and extensions of short blocks, and a trailer. */
function endOfGif(bytes: Buffer): number | undefined {
  for (let at = 13 + colourTable(bytes.readUInt8(10)); ;) {
    const kind = bytes.readUInt8(at);
    if (kind === GIF_TRAILER) return at + 1;
    if (kind === GIF_EXTENSION) at = endOfBlocks(bytes, at + 2);
    else if (kind === GIF_IMAGE) at = endOfBlocks(bytes, at + 11 + colourTable(bytes.readUInt8(at + 9)));
    else return undefined;
  }
}

function colourTable(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function endOfBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (let size = bytes.readUInt8(at++); size > 0; size = bytes.readUInt8(at++)) at += size;
  return at;
}

/** Boxes of this format; a box of another kind ends the picture. */
function endOfBoxes(bytes: Buffer): number | undefined {
  let at = 0;
  while (at < bytes.length) {
    const size = bytes.readUInt32BE(at);
    if (!BOXES.has(bytes.toString("latin1", at + 4, at + 8))) return at;
    // 0: up to the end.
    if (size === 0) return bytes.length;
    if (size < 8) return undefined;
    at += size;
  }
  return at;
}

const BOXES = new Set("ftyp meta mdat moov moof mfra sidx free skip uuid idat".split(" "));
