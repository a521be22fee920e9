/** Colours of the demo's pictures; in each, one thing has the red of a seal. */
export const C = {
  paper: "#fdfcf9",
  cream: "#f4ecdc",
  honey: "#dcb06a",
  bark: "#6b4630",
  ink: "#211f1b",
  slate: "#46525e",
  blue: "#6d8aa3",
  mist: "#c5d3da",
  navy: "#24354a",
  moss: "#66805a",
  red: "#b3402e",
};

export const WIDTH = 1000;
export const HEIGHT = 420;

export function times(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join("");
}

export function svg(content: string, width = WIDTH, height = HEIGHT): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" fill="none"
    stroke-linecap="round" stroke-linejoin="round">${content}</svg>`;
}

export function box(
  [x, y, width, height]: readonly [number, number, number, number],
  fill: string,
  radius = 0,
): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;
}

export function disc(x: number, y: number, radius: number, fill: string): string {
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;
}

export function shape(d: string, fill: string): string {
  return `<path d="${d}" fill="${fill}"/>`;
}

export function line(d: string, stroke: string, width: number, more = ""): string {
  return `<path d="${d}" stroke="${stroke}" stroke-width="${width}" ${more}/>`;
}

/** Moves, turns and scales what is drawn around 0, 0. */
export function at(x: number, y: number, content: string, { turn = 0, scale = 1 } = {}): string {
  return `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${scale})">${content}</g>`;
}
