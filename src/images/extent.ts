import type { Format } from "./formats.ts";

/**
 * Where a picture ends by its own account, or undefined when its parts don't add up. Only decoding
 * tells whether what lies in between is one. Of JPEG it is the end of the bytes: most phones put data
 * of their own behind the picture.
 */
export function endOf(format: Format, bytes: Buffer): number | undefined {
  try {
    return END[format](bytes);
  } catch (error) {
    // Read past the last byte.
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

/** Chunks of length, name, content and checksum, up to the one called IEND. */
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

/** A screen, then images and extensions made of short blocks, then a trailer of one byte. */
function endOfGif(bytes: Buffer): number | undefined {
  for (let at = 13 + colourTable(bytes.readUInt8(10)); ;) {
    const kind = bytes.readUInt8(at);
    if (kind === GIF_TRAILER) return at + 1;
    if (kind === GIF_EXTENSION) at = endOfBlocks(bytes, at + 2);
    else if (kind === GIF_IMAGE) at = endOfBlocks(bytes, at + 11 + colourTable(bytes.readUInt8(at + 9)));
    else return undefined;
  }
}

/** The bytes of the table of colours that these flags announce. */
function colourTable(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function endOfBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (let size = bytes.readUInt8(at++); size > 0; size = bytes.readUInt8(at++)) at += size;
  return at;
}

/** The boxes that this format is made of, one after another; a thing of another kind isn't a box of these. */
function endOfBoxes(bytes: Buffer): number | undefined {
  let at = 0;
  while (at < bytes.length) {
    const size = bytes.readUInt32BE(at);
    if (!BOXES.has(bytes.toString("latin1", at + 4, at + 8))) return at;
    // The last box may say 0, which is all that is left.
    if (size === 0) return bytes.length;
    if (size < 8) return undefined;
    at += size;
  }
  return at;
}

const BOXES = new Set([
  "ftyp",
  "meta",
  "mdat",
  "moov",
  "moof",
  "mfra",
  "sidx",
  "free",
  "skip",
  "uuid",
  "idat",
]);
