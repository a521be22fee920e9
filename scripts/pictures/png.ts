import { deflateSync } from "node:zlib";
import { chunk, png } from "../../src/content/images/tiles.ts";

export interface Picture {
  width: number;
  height: number;
  /** Three bytes per pixel: red, green, blue. */
  pixels: Uint8Array;
}

/** Writes a picture as PNG, true colour with 8 bits. */
export function encodePng({ width, height, pixels }: Picture): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++) {
    // Each row begins with its filter: 0, none.
    rows.set(pixels.subarray(y * width * 3, (y + 1) * width * 3), y * (1 + width * 3) + 1);
  }
  const data = chunk("IDAT", deflateSync(rows, { level: 9 }));
  return png({ width, height, kind: "colour" }, [data]);
}
