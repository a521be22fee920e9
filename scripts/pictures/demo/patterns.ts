import { at, box, C, disc, HEIGHT, line, shape, svg, times, WIDTH } from "./svg.ts";

const HILLS = [
  [330, 200, 190, 1],
  [640, 150, 150, 0.82],
  [520, 420, 190, 0.55],
  [930, 330, 170, 0.7],
  [60, 40, 160, 0.5],
] as const;

function heightAt(x: number, y: number): number {
  return HILLS.reduce(
    (sum, [cx, cy, radius, top]) =>
      sum + top * Math.exp(-(((x - cx) / radius) ** 2) - ((y - cy) / (radius * 0.8)) ** 2),
    0,
  );
}

const STEP = 5;

/** The line at one height: where it crosses the sides of each small square. */
function contour(level: number): string {
  let d = "";
  for (let y = -STEP; y < HEIGHT; y += STEP) {
    for (let x = -STEP; x < WIDTH; x += STEP) {
      const corners = [
        [x, y],
        [x + STEP, y],
        [x + STEP, y + STEP],
        [x, y + STEP],
      ] as const;
      const crossings = corners.flatMap(([x1, y1], side) => {
        const [x2, y2] = corners[(side + 1) % 4] ?? [x1, y1];
        const [from, to] = [heightAt(x1, y1) - level, heightAt(x2, y2) - level];
        if (from > 0 === to > 0) return [];
        const part = from / (from - to);
        return [`${(x1 + (x2 - x1) * part).toFixed(1)} ${(y1 + (y2 - y1) * part).toFixed(1)}`];
      });
      if (crossings.length >= 2) d += `M${crossings[0]}L${crossings[1]}`;
    }
  }
  return d;
}

const summit = (x: number, y: number) => shape(`M${x} ${y - 14} l13 23 h-26 Z`, C.ink);
const tree = (x: number, y: number) => disc(x, y - 14, 11, C.moss) + line(`M${x} ${y} V${y - 10}`, C.bark, 4);

/** Hills drawn by their heights, a stream, and the way up. */
export function contours(): string {
  const lines = times(9, (i) => line(contour(0.18 + i * 0.097), "#c7a273", i % 4 === 2 ? 4.5 : 2.5));
  const stream = line(
    "M0 366 C90 336 130 396 214 390 C330 380 380 328 470 322 C590 312 640 330 740 270 C800 232 850 150 1000 120",
    C.blue,
    6,
  );
  const path =
    line(
      "M214 352 C250 322 262 300 300 284 C352 264 396 268 404 236 C410 204 372 190 336 200",
      C.red,
      5,
      'stroke-dasharray="3 12"',
    ) +
    line("M404 236 C450 214 500 200 534 178 C566 158 590 166 606 162", C.red, 5, 'stroke-dasharray="3 12"');
  const trees = [
    [520, 356],
    [548, 368],
    [496, 376],
    [566, 344],
    [536, 392],
    [592, 372],
    [122, 252],
    [142, 268],
    [104, 274],
    [838, 250],
    [862, 262],
  ]
    .map(([x = 0, y = 0]) => tree(x, y))
    .join("");
  const house = shape("M198 344 v-22 l17 -15 l17 15 v22 Z", C.ink) + box([210, 328, 10, 16], C.cream);
  return svg(
    box([0, 0, WIDTH, HEIGHT], "#f1ead6") +
      lines +
      stream +
      path +
      trees +
      house +
      summit(336, 196) +
      summit(617, 154),
  );
}

/** A mended place in blue cloth: waves of white stitches, and the last ones still to do. */
export function sashiko(): string {
  const dash = 'stroke-dasharray="12 8"';
  const wave = (x: number, y: number) =>
    disc(x, y, 60, "#35506f") +
    [57, 43, 29, 15]
      .map(
        (radius) =>
          `<circle cx="${x}" cy="${y}" r="${radius}" stroke="${C.paper}" stroke-width="3.5" ${dash}/>`,
      )
      .join("");
  const waves = times(14, (row) =>
    times(7, (column) => wave(200 + column * 120 - (row % 2) * 60, 60 + row * 30)),
  );
  const patch =
    `<clipPath id="patch"><rect x="206" y="62" width="588" height="300" rx="6"/></clipPath>` +
    box([196, 58, 612, 318], "#1b2a3d", 8) +
    box([200, 56, 600, 312], "#35506f", 6) +
    `<g clip-path="url(#patch)">${waves}</g>`;
  const hem =
    `<rect x="212" y="68" width="576" height="288" rx="4" stroke="${C.paper}" stroke-width="4" stroke-dasharray="14 9"/>` +
    `<rect x="200" y="56" width="600" height="312" rx="6" stroke="#35506f" stroke-width="18"/>` +
    `<rect x="200" y="56" width="600" height="312" rx="6" stroke="${C.paper}" stroke-width="3.5" stroke-dasharray="13 9"/>`;
  const needle =
    line("M716 368 H770 C824 368 850 330 838 286 C828 250 862 226 884 214", C.red, 4.5) +
    at(884, 214, line("M0 0 L64 -96", C.mist, 7) + line("M5 -7 L10 -15", C.slate, 3));
  return svg(`${box([0, 0, WIDTH, HEIGHT], "#2a4059")}${patch}${hem}${needle}`);
}

const [WIDE, HIGH] = [40, 30];

/** The colour of a stitch: a border, then zigzags. */
function yarn(column: number, row: number): string {
  const place = row + Math.abs((column % 8) - 4);
  if (row < 1 || row > 12) return C.moss;
  if (row === 1 || row === 12) return column % 2 ? C.honey : C.moss;
  if (place === 6 || place === 7) return C.navy;
  if (place === 9) return C.red;
  return place === 11 ? C.honey : C.cream;
}

const stitch = (index: number) => {
  const column = index % 26;
  const row = Math.floor(index / 26);
  const half = (side: number) =>
    shape(
      `M0 37 C${side} 20 ${side * 9} 3 ${side * 18} 0 C${side * 20} 16 ${side * 13} 30 0 37 Z`,
      yarn(column, row),
    );
  return at(column * WIDE, row * HIGH - 4, half(-1) + half(1));
};

/** Knitting, stitch by stitch. */
export function knitting(): string {
  return svg(
    box([0, 0, WIDTH, HEIGHT], "#54604d") + box([0, 60, WIDTH, 300], "#b9ab8b") + times(26 * 15, stitch),
  );
}
