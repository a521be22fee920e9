import { createHash } from "node:crypto";
import { type Colour, lay, type Tile, toPng } from "./tiles.ts";

export type Kind = "user" | "organization" | "podcast";

export const PAPER: Colour = [250, 246, 238];
export const INK: Colour = [38, 43, 62];

/** Each light enough to tell from ink, and dark enough to tell from paper. */
const COLOURS: readonly Colour[] = [
  [203, 116, 88],
  [106, 134, 182],
  [112, 142, 104],
  [150, 108, 148],
  [196, 146, 72],
  [76, 138, 142],
  [188, 104, 122],
  [120, 122, 160],
];

/** Tiles left of the middle, each with its mirror image. */
const SIDE_TILES: readonly [Tile, Tile][] = [
  ["empty", "empty"],
  ["empty", "empty"],
  ["full", "full"],
  ["disc", "disc"],
  ["top-left", "top-right"],
  ["top-right", "top-left"],
  ["bottom-left", "bottom-right"],
  ["bottom-right", "bottom-left"],
];
const MIDDLE_TILES: readonly Tile[] = ["empty", "full", "disc", "disc"];

const SHADES: Record<Kind, (colour: Colour) => [Colour, Colour]> = {
  user: (colour) => [colour, PAPER],
  organization: (colour) => [INK, colour],
  podcast: (colour) => [colour, INK],
};

const ROWS = 5;

/** Sides in pixels, each a multiple of the rows. */
export const SIDES = [640, 320, 90, 60] as const;

/**
 * The picture of a person, organization or podcast without one: a symmetric pattern, made from the id alone. Drawn
 * here, because a page shows many at once, and sharp would cost the server 30 MB.
 */
export function identicon(kind: Kind, id: number, side: (typeof SIDES)[number]): Buffer {
  const bytes = bytesOf(`${kind} ${id}`);
  const rows = Array.from({ length: ROWS }, (_, row): Tile[] => {
    const [outer, inner] = [pick(SIDE_TILES, bytes, row), pick(SIDE_TILES, bytes, ROWS + row)];
    // No picture is empty.
    const middle = row === 2 ? "disc" : pick(MIDDLE_TILES, bytes, 2 * ROWS + row);
    return [outer[0], inner[0], middle, inner[1], outer[1]];
  });
  const colour = colourOf(kind, id);
  return toPng(lay(rows, side / ROWS), ...SHADES[kind](colour));
}

export function colourOf(kind: Kind, id: number): Colour {
  return pick(COLOURS, bytesOf(`${kind} ${id}`), 3 * ROWS);
}

export function border(kind: Kind, id: number, length: number): Tile[] {
  const bytes = bytesOf(`${kind} ${id}`);
  return Array.from({ length }, (_, index) => pick(SIDE_TILES, bytes, index % bytes.length)[0]);
}

function bytesOf(name: string): Buffer {
  return createHash("sha256").update(name).digest();
}

function pick<T>(choices: readonly T[], bytes: Buffer, index: number): T {
  return choices[(bytes[index] ?? 0) % choices.length] as T;
}
