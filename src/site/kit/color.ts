type Rgb = readonly [red: number, green: number, blue: number];

/** The backgrounds of the two themes; `styles/tokens.css` repeats them. */
export const PAPER = "#fdfcf9";
export const NIGHT = "#17181b";

/** WCAG 2.2, 1.4.3: the contrast of text. */
const MIN_CONTRAST = 4.5;

/** The nearest colour, lighter or darker, that can be read on a background. */
export function readable(color: string, background: string): string {
  const target = luminance(rgbOf(background)) > 0.5 ? 0 : 255;
  for (let part = 0; part <= 1; part += 0.02) {
    const mixed = rgbOf(color).map((value) => Math.round(value + (target - value) * part)) as unknown as Rgb;
    if (contrast(mixed, rgbOf(background)) >= MIN_CONTRAST) return hex(mixed);
  }
  return hex([target, target, target]);
}

/** Black or white, whichever is easier to read on a colour. */
export function inkOn(color: string): string {
  const background = rgbOf(color);
  return contrast([255, 255, 255], background) >= contrast([0, 0, 0], background) ? "#ffffff" : "#000000";
}

/** WCAG 2.2, contrast ratio: 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG 2.2, relative luminance. */
function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function rgbOf(color: string): Rgb {
  const number = Number.parseInt(color.slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

function hex(rgb: Rgb): string {
  return `#${rgb.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
