import { blend, type Box, type Colour, inBox, inCircle } from "./shapes.ts";

const PAPER: Colour = [250, 246, 238];
const SAND: Colour = [233, 222, 203];
const INK: Colour = [38, 43, 62];
const SLATE: Colour = [74, 83, 112];
const WATER: Colour = [126, 152, 196];
const CLAY: Colour = [203, 116, 88];

const BLOCKS: [Box, Colour][] = [
  [{ left: 0.2, top: 0.46, right: 0.47, bottom: 0.8, radius: 0.035 }, PAPER],
  [{ left: 0.53, top: 0.2, right: 0.8, bottom: 0.8, radius: 0.035 }, PAPER],
  [{ left: 0.2, top: 0.2, right: 0.47, bottom: 0.4, radius: 0.035 }, CLAY],
];

/** Three blocks that fit together. */
export function drawOrganization(x: number, y: number): Colour {
  const block = BLOCKS.find(([box]) => inBox(x, y, box));
  return block ? block[1] : blend(SLATE, INK, (x + y) / 2);
}

const STONE: Box = { left: 0.17, top: 0.2, right: 0.72, bottom: 0.8, radius: 0.07 };
const LINES: Box[] = [0.3, 0.42, 0.54, 0.66].map((top, index) => ({
  left: 0.92,
  top,
  right: [1.72, 1.6, 1.68, 1.3][index] ?? 1.5,
  bottom: top + 0.05,
  radius: 0.025,
}));

/** An inkstone with its pool of ink, and what was written with it. */
export function drawSocial(x: number, y: number): Colour {
  if (inCircle(x, y, [0.445, 0.44, 0.15])) {
    return inCircle(x, y, [0.4, 0.39, 0.03]) ? PAPER : blend(WATER, INK, 0.35 + (y - 0.3) * 2);
  }
  if (inBox(x, y, { left: 0.3, top: 0.66, right: 0.59, bottom: 0.7, radius: 0.02 })) return INK;
  if (inBox(x, y, STONE)) return blend(SLATE, INK, y);
  if (LINES.some((line) => inBox(x, y, line))) return LINES[0] && inBox(x, y, LINES[0]) ? CLAY : SLATE;
  return blend(PAPER, SAND, y);
}
