import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { locate } from "../layout.ts";

export interface Layer {
  data: Buffer;
  width: number;
  height: number;
}

export interface Space {
  width: number;
  height: number;
  /** Sizes of letters in pixels; the largest that fits is used. */
  sizes: readonly number[];
  /** Like `#262b3e`. */
  colour: string;
}

/** Bundled, because a computer may have no font. Missing glyphs come from other fonts. */
const FONT = "DejaVu Sans Bold";
const FONT_FILE = fileURLToPath(locate("../assets/fonts/DejaVuSans-Bold.ttf"));

/** Sizes are in pixels at this resolution. */
const DPI = 72;

const MAX_GRAPHEMES = 200;

const graphemesOf = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Sets a text into lines in the direction of its script. A long text is cut and ends with an ellipsis; characters
 * without a glyph are left out. Undefined when nothing is left.
 */
export async function setText(text: string, space: Space): Promise<Layer | undefined> {
  const graphemes = await drawable(text);
  const whole = graphemes.join("").trim();
  if (whole === "") return undefined;
  for (const size of space.sizes) {
    const layer = await render(whole, size, space);
    if (layer && fits(layer, space)) return layer;
  }
  return cut(graphemes, space);
}

async function cut(graphemes: string[], space: Space): Promise<Layer | undefined> {
  const size = Math.min(...space.sizes);
  let best: Layer | undefined;
  let [low, high] = [1, graphemes.length];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const text = graphemes.slice(0, middle).join("").trimEnd();
    const layer = await render(`${text}…`, size, space);
    if (layer && fits(layer, space)) [best, low] = [layer, middle + 1];
    else high = middle - 1;
  }
  return best;
}

function fits(layer: Layer, { width, height }: Space): boolean {
  return layer.width <= width && layer.height <= height;
}

/** Whether the first letter of a text is written from right to left. */
export function isRightToLeft(text: string): boolean {
  return /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(
    text,
  );
}

/** Graphemes, without those that can't be drawn. */
async function drawable(text: string): Promise<string[]> {
  const clean = text
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Z}]+/gu, " ")
    // Keeps the two that join or part letters.
    .replaceAll(/(?![\u200c\u200d])[\p{Cf}\p{Cn}\p{Cs}\ufffd]/gu, "");
  const kept: string[] = [];
  for (const { segment } of graphemesOf.segment(clean)) {
    if (kept.length === MAX_GRAPHEMES) break;
    const shapes = Array.from(segment).filter((sign) => !DEPENDENT.test(sign));
    const isDrawable = shapes.length > 0 && (await Promise.all(shapes.map(hasGlyph))).every(Boolean);
    if (isDrawable) kept.push(segment);
  }
  return kept;
}

/** Characters without a shape of their own. */
const DEPENDENT = /^[\p{M}\u200c\u200d]$/u;

const known = new Map<string, Promise<boolean>>();

function hasGlyph(sign: string): Promise<boolean> {
  const has = known.get(sign) ?? isInFont(sign);
  known.set(sign, has);
  return has;
}

/** A missing glyph is drawn as a box with its number. */
async function isInFont(sign: string): Promise<boolean> {
  if (/[\x20-\x7e]/.test(sign)) return true;
  // Noncharacters, which no font has. More digits make a wider box.
  const missing = (sign.codePointAt(0) ?? 0) > 0xffff ? "\u{1ffff}" : "\uffff";
  const space = { width: 1_000, colour: "#000000" };
  const [drawn, box] = [await render(sign, 40, space), await render(missing, 40, space)];
  return drawn !== undefined && (box === undefined || frameOf(drawn) !== frameOf(box));
}

/** The size and the outermost pixels of a glyph. */
function frameOf({ data, width, height }: Layer): string {
  const isOutermost = (x: number, y: number) => x === 0 || y === 0 || x === width - 1 || y === height - 1;
  const pixels = Array.from({ length: width * height }, (_, index) =>
    isOutermost(index % width, Math.floor(index / width)) ? data[index * 4 + 3] : 0,
  );
  return `${width} ${height} ${pixels.join(" ")}`;
}

/** Undefined for an empty picture. */
async function render(
  text: string,
  size: number,
  { width, colour }: Pick<Space, "width" | "colour">,
): Promise<Layer | undefined> {
  const markup = `<span foreground="${colour}">${escape(text)}</span>`;
  const font = { font: `${FONT} ${size}`, fontfile: FONT_FILE, dpi: DPI };
  const image = sharp({ text: { text: markup, ...font, width, rgba: true, wrap: "word-char" } });
  try {
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch (error) {
    if (error instanceof Error && error.message.includes("no text to render")) return undefined;
    throw error;
  }
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
