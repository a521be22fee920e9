import { fileURLToPath } from "node:url";
import sharp, { type OverlayOptions } from "sharp";
import { locate } from "../../platform/program-files.ts";
import type { Picture } from "./decode.ts";
import { FORMATS } from "./formats.ts";
import { directionOf } from "../text/direction.ts";
import { border, colourOf, INK, PAPER } from "./identicon.ts";
import { between, type Colour, lay } from "./tiles.ts";

export interface Card {
  title: string;
  byline: string;
  site: string;
  authorId: number;
}

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
async function setText(text: string, space: Space): Promise<Layer | undefined> {
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

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 80;
const TILE = 60;
const BYLINE_Y = HEIGHT - TILE - 75;

const TITLE = { width: WIDTH - 2 * MARGIN, height: 300, sizes: [72, 64, 56], colour: hex(INK) };
const BYLINE = { width: 640, height: 50, sizes: [32], colour: hex(INK) };
const SITE = { width: 360, height: 50, sizes: [32], colour: "#6a7186" };

/** Draws the title, the author, the site and a border in the author's pattern. A change needs another CARD_VERSION. */
export async function drawCard(card: Card): Promise<Picture> {
  const overlays = [borderOf(card.authorId), ...(await textsOf(card))];
  const background = { width: WIDTH, height: HEIGHT, channels: 3 as const, background: hex(PAPER) };
  const { data, info } = await sharp({ create: background })
    .composite(overlays)
    .png({ palette: true, effort: 4 })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, ...FORMATS.png, width: info.width, height: info.height };
}

async function textsOf({ title, byline, site }: Card): Promise<OverlayOptions[]> {
  const [titleLayer, bylineLayer, siteLayer] = [
    await setText(title, TITLE),
    await setText(byline, BYLINE),
    await setText(site, SITE),
  ];
  return [
    titleLayer && place(titleLayer, directionOf(title) === "rtl" ? end(titleLayer) : MARGIN, MARGIN),
    bylineLayer && place(bylineLayer, MARGIN, onLine(bylineLayer)),
    siteLayer && place(siteLayer, end(siteLayer), onLine(siteLayer)),
  ].filter((overlay) => overlay !== undefined);
}

const end = ({ width }: Layer) => WIDTH - MARGIN - width;

const onLine = ({ height }: Layer) => BYLINE_Y - Math.round(height / 2);

function place({ data, width, height }: Layer, left: number, top: number): OverlayOptions {
  return { input: data, raw: { width, height, channels: 4 }, left, top };
}

function borderOf(authorId: number): OverlayOptions {
  const { width, height, points } = lay([border("user", authorId, WIDTH / TILE)], TILE);
  const shades = between(colourOf("user", authorId), PAPER);
  const input = Buffer.from([...points].flatMap((point) => [...(shades[point] ?? PAPER)]));
  return { input, raw: { width, height, channels: 3 }, left: 0, top: HEIGHT - TILE };
}

function hex(colour: Colour): string {
  return `#${Buffer.from(colour).toString("hex")}`;
}
