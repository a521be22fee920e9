import sharp, { type Metadata, type Sharp } from "sharp";
import { disguised } from "./disguise.ts";
import { FORMATS, type Format, formatOf } from "./formats.ts";

export interface ImageLimits {
  bytes: number;
  /** The pixels of all frames together. */
  pixels: number;
  frames: number;
}

export type Picture = Awaited<ReturnType<typeof encode>>;

class Refused extends Error {
  override name = "Refused";
}

const ACCEPTED = "send a JPEG, PNG, GIF, WebP or AVIF image";

// Decoders of other formats only widen the attack surface.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Nsgif", "Webp", "Heif"].map((loader) => `VipsForeignLoad${loader}Buffer`),
});
// Each picture is decoded once, on one processor.
sharp.cache(false);
sharp.concurrency(1);

/**
 * Re-encodes the pixels in the same format, upright and without metadata.
 * @throws Refused
 */
export function reencode(bytes: Buffer, limits: ImageLimits): Promise<Picture> {
  return make(bytes, limits, async (format) => {
    const image = read(bytes, limits);
    check(await image.metadata(), format, limits);
    return encode(format, image.autoOrient());
  });
}

/** Lossless for drawings, small for photographs, readable by all browsers. */
const SQUARE_FORMATS: Partial<Record<Format, Format>> = { gif: "png", avif: "webp" };

/**
 * Squares from the middle of the first frame, the largest first.
 * @throws Refused
 */
export function squares(bytes: Buffer, limits: ImageLimits, sides: readonly number[]): Promise<Picture[]> {
  return make(bytes, limits, async (format) => {
    const image = read(bytes, limits, { pages: 1 });
    const metadata = await image.metadata();
    check(metadata, format, limits);
    const { width, height } = metadata.autoOrient;
    const side = Math.min(width, height);
    const [left, top] = [Math.floor((width - side) / 2), Math.floor((height - side) / 2)];
    const largest = sides[0] ?? side;
    // Cutting precedes scaling: the other way a picture one pixel high would take gigabytes.
    const { data, info } = await image
      .autoOrient()
      .extract({ left, top, width: side, height: side })
      .resize(largest, largest)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const raw = { width: largest, height: largest, channels: info.channels };
    const pictures: Picture[] = [];
    for (const each of sides) {
      const square = sharp(data, { raw }).resize(each, each);
      pictures.push(await encode(SQUARE_FORMATS[format] ?? format, square));
    }
    return pictures;
  });
}

async function make<T>(bytes: Buffer, limits: ImageLimits, work: (format: Format) => Promise<T>): Promise<T> {
  if (bytes.length > limits.bytes) throw new Refused(`Image is larger than ${limits.bytes} bytes`);
  const format = formatOf(bytes);
  if (format === undefined) throw new Refused(`Image isn't of a known format: ${ACCEPTED}`);
  const disguise = disguised(format, bytes);
  if (disguise !== undefined) throw new Refused(`Image is also ${disguise}: ${ACCEPTED} and nothing else`);
  try {
    return await work(format);
  } catch (cause) {
    if (cause instanceof Refused) throw cause;
    const isLarge = cause instanceof Error && cause.message.includes("pixel limit");
    if (isLarge) throw tooManyPixels(limits);
    throw new Refused(`Image is damaged, or isn't what it says it is: ${ACCEPTED}`, { cause });
  }
}

function read(bytes: Buffer, { pixels }: ImageLimits, { pages = -1 } = {}): Sharp {
  return sharp(bytes, { limitInputPixels: pixels, failOn: "error", pages, sequentialRead: true });
}

async function encode(format: Format, image: Sharp) {
  const { data, info } = await ENCODE[format](image).toBuffer({ resolveWithObject: true });
  const { type, extension } = FORMATS[format];
  return { bytes: data, type, extension, width: info.width, height: info.pageHeight ?? info.height };
}

/** Checks the head of an image before anything is decoded. */
function check(
  { format, compression, width, height, pages = 1 }: Metadata,
  said: Format,
  limits: ImageLimits,
) {
  const isAvif = format === "heif" && compression === "av1";
  if ((isAvif ? "avif" : format) !== said) throw new Refused(`Image isn't what it says it is: ${ACCEPTED}`);
  if (pages > limits.frames) {
    throw new Refused(`Image has ${pages} frames: send one of at most ${limits.frames}`);
  }
  if (width * height > limits.pixels) throw tooManyPixels(limits);
}

function tooManyPixels({ pixels }: ImageLimits): Refused {
  return new Refused(
    `Image has too many pixels: send one of at most ${pixels / 1e6} megapixels, all frames together`,
  );
}

/** A picture of the most pixels takes about two seconds. */
const ENCODE: Record<Format, (image: Sharp) => Sharp> = {
  jpeg: (image) => image.jpeg({ quality: 85 }),
  png: (image) => image.png(),
  gif: (image) => image.gif({ effort: 1 }),
  webp: (image) => image.webp({ quality: 85, effort: 1 }),
  avif: (image) => image.avif({ quality: 60, effort: 0 }),
};
