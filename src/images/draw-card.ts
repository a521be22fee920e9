import sharp, { type OverlayOptions } from "sharp";
import type { Card } from "./card.ts";
import { isRightToLeft, type Layer, setText } from "./card-text.ts";
import type { Picture } from "./decode.ts";
import { FORMATS } from "./formats.ts";
import { border, colourOf, INK, PAPER } from "./identicon.ts";
import { between, type Colour, lay } from "./tiles.ts";

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
    titleLayer && place(titleLayer, isRightToLeft(title) ? end(titleLayer) : MARGIN, MARGIN),
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
