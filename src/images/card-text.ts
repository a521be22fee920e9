import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { locate } from "../layout.ts";

/** Text as pixels: red, green, blue and how much of them. */
export interface Layer {
  data: Buffer;
  width: number;
  height: number;
}

export interface Space {
  width: number;
  height: number;
  /** In pixels, the largest that fits is taken. */
  sizes: readonly number[];
  /** Like `#262b3e`. */
  colour: string;
}

/** A font that comes along, because a computer may have none; what it lacks is taken from those there are. */
const FONT = "DejaVu Sans Bold";
const FONT_FILE = fileURLToPath(locate("../assets/fonts/DejaVuSans-Bold.ttf"));

/** Pixels per point: sizes are in pixels then. */
const DPI = 72;

/** More has no room in any case. */
const MAX_GRAPHEMES = 200;

const graphemesOf = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Sets a text into a space, in lines and in the direction of its script. What is too long is cut and
 * ends with an ellipsis; signs that no font has are left out. Undefined when nothing is left.
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

/** The longest beginning that fits in the smallest size. */
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

/** Whether a text is read from right to left, by its first letter. */
export function isRightToLeft(text: string): boolean {
  return /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(
    text,
  );
}

/** The signs of a text, as people see them, without those that can't be drawn. */
async function drawable(text: string): Promise<string[]> {
  const clean = text
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Z}]+/gu, " ")
    // Two of the invisible join or part letters; the others are for machines.
    .replaceAll(/(?![\u200c\u200d])[\p{Cf}\p{Cn}\p{Cs}\ufffd]/gu, "");
  const kept: string[] = [];
  for (const { segment } of graphemesOf.segment(clean)) {
    if (kept.length === MAX_GRAPHEMES) break;
    if (await isDrawable(segment)) kept.push(segment);
  }
  return kept;
}

/** What has no shape of its own. */
const DEPENDENT = /^[\p{M}\u200c\u200d]+$/u;

async function isDrawable(grapheme: string): Promise<boolean> {
  if (DEPENDENT.test(grapheme)) return false;
  for (const sign of grapheme) {
    if (DEPENDENT.test(sign)) continue;
    if (!/[\x20-\x7e]/.test(sign) && !(await hasGlyph(sign))) return false;
  }
  return true;
}

/** What is known of the fonts of this computer. */
const known = new Map<string, boolean>();
const MAX_KNOWN = 10_000;

/** Whether any font has this sign. One that none has is drawn as a box with its number in it. */
async function hasGlyph(sign: string): Promise<boolean> {
  const before = known.get(sign);
  if (before !== undefined) return before;
  // Two that no font has, because they will never be signs; of more digits the box is wider.
  const missing = (sign.codePointAt(0) ?? 0) > 0xffff ? "\u{1ffff}" : "\uffff";
  const [drawn, box] = [await glyph(sign), await glyph(missing)];
  const has = drawn !== undefined && (box === undefined || !isSameFrame(drawn, box));
  if (known.size < MAX_KNOWN) known.set(sign, has);
  return has;
}

function glyph(sign: string): Promise<Layer | undefined> {
  return render(sign, 40, { width: 1_000, colour: "#000000" });
}

/** Whether two have the same size and the same outermost pixels. */
function isSameFrame(one: Layer, other: Layer): boolean {
  const { width, height } = one;
  if (width !== other.width || height !== other.height) return false;
  for (let index = 0; index < width * height; index++) {
    const [x, y] = [index % width, Math.floor(index / width)];
    const isOutermost = x === 0 || y === 0 || x === width - 1 || y === height - 1;
    if (isOutermost && one.data[index * 4 + 3] !== other.data[index * 4 + 3]) return false;
  }
  return true;
}

/** Undefined when there is nothing to be seen of it. */
async function render(
  text: string,
  size: number,
  { width, colour }: Pick<Space, "width" | "colour">,
): Promise<Layer | undefined> {
  const markup = `<span foreground="${colour}">${escape(text)}</span>`;
  const image = sharp({
    text: {
      text: markup,
      font: `${FONT} ${size}`,
      fontfile: FONT_FILE,
      width,
      dpi: DPI,
      rgba: true,
      wrap: "word-char",
    },
  });
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
