import type { Format } from "./formats.ts";

/**
 * Where a picture states that it ends; undefined when its parts don't add up. JPEG may have more: most phones append
 * data.
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
