import { SHADES, type Shades } from "./shades.ts";

/** What a tile shows: nothing, all of it, a disc, or a quarter of a larger one around a corner. */
export type Tile = "empty" | "full" | "disc" | "top-left" | "top-right" | "bottom-left" | "bottom-right";

/** Whether a point of a tile, whose sides are 1 long, belongs to its shape. */
const INSIDE: Record<Tile, (x: number, y: number) => boolean> = {
  empty: () => false,
  full: () => true,
  disc: (x, y) => isNear(x - 0.5, y - 0.5, 0.42),
  "top-left": (x, y) => isNear(x, y, 1),
  "top-right": (x, y) => isNear(1 - x, y, 1),
  "bottom-left": (x, y) => isNear(x, 1 - y, 1),
  "bottom-right": (x, y) => isNear(1 - x, 1 - y, 1),
};

function isNear(dx: number, dy: number, radius: number): boolean {
  return dx * dx + dy * dy <= radius * radius;
}

/** Points that are looked at per pixel and direction, so that edges are smooth. */
const SAMPLES = 4;

/** Lays tiles of this many pixels in rows of equal length. */
export function lay(rows: readonly (readonly Tile[])[], side: number): Shades {
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

/** Tiles that have been drawn: the few shapes in the few sizes that are asked for. */
const drawings = new Map<string, Uint8Array>();

function draw(tile: Tile, side: number): Uint8Array {
  const name = `${tile} ${side}`;
  const known = drawings.get(name);
  if (known !== undefined) return known;
  const points = new Uint8Array(side * side).map((_, index) => {
    return Math.round(
      cover(INSIDE[tile], { x: index % side, y: Math.floor(index / side), side }) * (SHADES - 1),
    );
  });
  drawings.set(name, points);
  return points;
}

/** How much of a pixel a shape covers, from 0 to 1. */
function cover(
  isInside: (x: number, y: number) => boolean,
  { x, y, side }: { x: number; y: number; side: number },
): number {
  let count = 0;
  for (let sample = 0; sample < SAMPLES ** 2; sample++) {
    const dx = ((sample % SAMPLES) + 0.5) / SAMPLES;
    const dy = (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES;
    if (isInside((x + dx) / side, (y + dy) / side)) count += 1;
  }
  return count / SAMPLES ** 2;
}
