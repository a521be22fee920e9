import { deflateSync } from "node:zlib";
import { chunk, png } from "./png.ts";

export type Colour = readonly [red: number, green: number, blue: number];

/** How many steps there are from one colour to the other. */
export const SHADES = 16;

/** A picture of two colours and what lies between them: for each point, how much of the second, from 0 to 15. */
export interface Shades {
  width: number;
  height: number;
  points: Uint8Array;
}

const BITS = 4;

/** Writes it as PNG with half a byte per point, which takes no more than a moment and a kilobyte. */
export function toPng(shades: Shades, from: Colour, to: Colour): Buffer {
  const { width, height } = shades;
  return png({ width, height, bits: BITS, kind: "indexed" }, [
    chunk("PLTE", Buffer.from(between(from, to).flat())),
    chunk("IDAT", deflateSync(rowsOf(shades))),
  ]);
}

/** All shades from one colour to another. */
export function between(from: Colour, to: Colour): Colour[] {
  return Array.from({ length: SHADES }, (_, index) => {
    const at = (a: number, b: number) => Math.round(a + ((b - a) * index) / (SHADES - 1));
    return [at(from[0], to[0]), at(from[1], to[1]), at(from[2], to[2])];
  });
}

/** Two points per byte; each row begins with its filter, none. */
function rowsOf({ width, height, points }: Shades): Buffer {
  const bytes = Math.ceil(width / 2);
  const rows = Buffer.alloc(height * (1 + bytes));
  for (let y = 0; y < height; y++) {
    const [from, to] = [y * width, y * (1 + bytes) + 1];
    for (let x = 0; x < width; x++) {
      const at = to + (x >> 1);
      rows[at] = (rows[at] ?? 0) | ((points[from + x] ?? 0) << (x % 2 === 0 ? BITS : 0));
    }
  }
  return rows;
}
