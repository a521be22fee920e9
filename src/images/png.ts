import { crc32 } from "node:zlib";

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** The size of a PNG, and whether its points are colours or indexes of a palette. */
export interface Layout {
  width: number;
  height: number;
  bits: number;
  kind: "colour" | "indexed";
}

export function png({ width, height, bits, kind }: Layout, chunks: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, kind === "colour" ? 2 : 3, 0, 0, 0], 8);
  return Buffer.concat([SIGNATURE, chunk("IHDR", header), ...chunks, chunk("IEND", Buffer.alloc(0))]);
}

export function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
