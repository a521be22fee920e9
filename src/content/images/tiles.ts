import { constants, crc32, deflateSync } from "node:zlib";

export type Colour = readonly [red: number, green: number, blue: number];

/** The shape on a tile: the quarters are of a larger disc around a corner. */
export type Tile = "empty" | "full" | "disc" | "top-left" | "top-right" | "bottom-left" | "bottom-right";

/** How far a point of a tile, whose sides are 1 long, is inside its shape. */
const INSIDE: Record<Tile, (x: number, y: number) => number> = {
  empty: () => -1,
  full: () => 1,
  disc: (x, y) => 0.42 - Math.hypot(x - 0.5, y - 0.5),
  "top-left": (x, y) => 1 - Math.hypot(x, y),
  "top-right": (x, y) => 1 - Math.hypot(1 - x, y),
  "bottom-left": (x, y) => 1 - Math.hypot(x, 1 - y),
  "bottom-right": (x, y) => 1 - Math.hypot(1 - x, 1 - y),
};

const LAST_SHADE = 15;

/** A picture of two colours: each point is a shade between them, from 0 to 15. */
type Shades = ReturnType<typeof lay>;

/** Lays square tiles, `side` pixels wide, in rows of equal length. */
export function lay(rows: readonly (readonly Tile[])[], side: number) {
  const [width, height] = [(rows[0]?.length ?? 0) * side, rows.length * side];
  const points = new Uint8Array(width * height);
  for (const [row, tiles] of rows.entries()) {
    for (const [column, tile] of tiles.entries()) {
      const drawn = draw(tile, side);
      for (let y = 0; y < side; y++) {
        points.set(drawn.subarray(y * side, (y + 1) * side), (row * side + y) * width + column * side);
      }
    }
  }
  return { width, height, points };
}

const drawings = new Map<string, Uint8Array>();

function draw(tile: Tile, side: number): Uint8Array {
  const name = `${tile} ${side}`;
  const known = drawings.get(name);
  if (known !== undefined) return known;
  const points = new Uint8Array(side * side).map((_, index) => {
    const inside = INSIDE[tile](((index % side) + 0.5) / side, (Math.floor(index / side) + 0.5) / side);
    // The pixels on an edge are shaded, so that it is smooth.
    return Math.round(Math.min(1, Math.max(0, inside * side + 0.5)) * LAST_SHADE);
  });
  drawings.set(name, points);
  return points;
}

/** Writes a picture as PNG: a kilobyte, made in a moment. */
export function toPng({ width, height, points }: Shades, first: Colour, last: Colour): Buffer {
  // Each row begins with its filter, none.
  const rows = Buffer.alloc(height * (1 + width));
  for (let y = 0; y < height; y++) rows.set(points.subarray(y * width, (y + 1) * width), y * (1 + width) + 1);
  return png({ width, height, kind: "indexed" }, [
    chunk("PLTE", Buffer.from(between(first, last).flat())),
    // Flat areas are runs: as small as with the usual strategy, in a sixth of the time.
    chunk("IDAT", deflateSync(rows, { strategy: constants.Z_RLE })),
  ]);
}

export function between(from: Colour, to: Colour): Colour[] {
  return Array.from({ length: LAST_SHADE + 1 }, (_, index) => {
    const at = (a: number, b: number) => Math.round(a + ((b - a) * index) / LAST_SHADE);
    return [at(from[0], to[0]), at(from[1], to[1]), at(from[2], to[2])];
  });
}

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** The size of a PNG, and whether its points are colours or indexes of a palette. */
export interface Layout {
  width: number;
  height: number;
  kind: "colour" | "indexed";
}

export function png({ width, height, kind }: Layout, chunks: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, kind === "colour" ? 2 : 3, 0, 0, 0], 8);
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
