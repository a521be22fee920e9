import type { Picture } from "./png.ts";

export type Colour = readonly [red: number, green: number, blue: number];

/** The colour at a point; a picture is 1 high and as wide as its proportion says. */
export type Drawing = (x: number, y: number) => Colour;

/** Points per pixel and direction, so that edges are smooth. */
const SAMPLES = 4;

export function paint(drawing: Drawing, width: number, height: number): Picture {
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set(colourOf(drawing, x, y, height), (y * width + x) * 3);
  }
  return { width, height, pixels };
}

function colourOf(drawing: Drawing, x: number, y: number, scale: number): Colour {
  const sum = [0, 0, 0];
  for (let index = 0; index < SAMPLES * SAMPLES; index++) {
    const dx = ((index % SAMPLES) + 0.5) / SAMPLES;
    const dy = (Math.floor(index / SAMPLES) + 0.5) / SAMPLES;
    const colour = drawing((x + dx) / scale, (y + dy) / scale);
    colour.forEach((part, channel) => (sum[channel] = (sum[channel] ?? 0) + part));
  }
  const [red = 0, green = 0, blue = 0] = sum.map((part) => Math.round(part / SAMPLES ** 2));
  return [red, green, blue];
}

export function inCircle(x: number, y: number, [cx, cy, radius]: readonly [number, number, number]): boolean {
  return Math.hypot(x - cx, y - cy) <= radius;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** Of its corners. */
  radius: number;
}

export function inBox(x: number, y: number, { left, top, right, bottom, radius }: Box): boolean {
  const dx = Math.max(left + radius - x, 0, x - (right - radius));
  const dy = Math.max(top + radius - y, 0, y - (bottom - radius));
  return Math.hypot(dx, dy) <= radius;
}

/** A colour between two others. */
export function blend(from: Colour, to: Colour, part: number): Colour {
  const at = (a: number, b: number) => a + (b - a) * Math.min(1, Math.max(0, part));
  return [at(from[0], to[0]), at(from[1], to[1]), at(from[2], to[2])];
}
