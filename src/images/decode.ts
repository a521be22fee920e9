import sharp, { type Metadata, type Sharp } from "sharp";
import { disguised } from "./disguise.ts";
import { FORMATS, type Format, formatOf } from "./formats.ts";

/** What a picture may be at most. */
export interface ImageLimits {
  bytes: number;
  /** Over all frames together. */
  pixels: number;
  frames: number;
}

/** A picture that was made here, from the pixels of another and nothing else of it. */
export interface Picture {
  bytes: Buffer;
  type: (typeof FORMATS)[Format]["type"];
  extension: (typeof FORMATS)[Format]["extension"];
  width: number;
  /** Of one frame. */
  height: number;
}

/** A picture that isn't accepted, with a sentence that says why. */
class Refused extends Error {
  override name = "Refused";
}

const ACCEPTED = "send a JPEG, PNG, GIF, WebP or AVIF picture";

// Decoders of formats that nobody sends are only there to be attacked.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Nsgif", "Webp", "Heif"].map((loader) => `VipsForeignLoad${loader}Buffer`),
});
// Each picture is seen once, and one processor is what one picture gets.
sharp.cache(false);
sharp.concurrency(1);

/**
 * Makes a new picture of the same format from the pixels of this one. Where it was taken, by what and
 * whatever else it carries stays behind; which way is up is applied.
 * @throws Refused
 */
export function reencode(bytes: Buffer, limits: ImageLimits): Promise<Picture> {
  return make(bytes, limits, async (format) => {
    const image = read(bytes, limits, { frames: "all" });
    check(await image.metadata(), format, limits);
    return encode(format, image.autoOrient());
  });
}

/** What squares are kept as: what is seen everywhere, exact where it was drawn, small where it was photographed. */
const SQUARE_FORMATS: Record<Format, Format> = {
  jpeg: "jpeg",
  png: "png",
  gif: "png",
  webp: "webp",
  avif: "webp",
};

/**
 * Makes still pictures of these sides, the largest first, from the middle of a picture's first frame.
 * @throws Refused
 */
export function squares(bytes: Buffer, limits: ImageLimits, sides: readonly number[]): Promise<Picture[]> {
  return make(bytes, limits, async (format) => {
    const image = read(bytes, limits, { frames: "first" });
    const metadata = await image.metadata();
    check(metadata, format, limits);
    const { width, height } = metadata.autoOrient;
    const side = Math.min(width, height);
    const [left, top] = [Math.floor((width - side) / 2), Math.floor((height - side) / 2)];
    const largest = sides[0] ?? side;
    // Cut out before it is stretched: of a picture that is one pixel high, the other way would take gigabytes.
    const { data, info } = await image
      .autoOrient()
      .extract({ left, top, width: side, height: side })
      .resize(largest, largest)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const raw = { width: largest, height: largest, channels: info.channels };
    const pictures: Picture[] = [];
    for (const each of sides) {
      pictures.push(await encode(SQUARE_FORMATS[format], sharp(data, { raw }).resize(each, each)));
    }
    return pictures;
  });
}

/** Makes something of a picture unless its bytes are refused, and says in one sentence why it can't. */
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

function read(bytes: Buffer, { pixels }: ImageLimits, { frames }: { frames: "all" | "first" }): Sharp {
  return sharp(bytes, {
    limitInputPixels: pixels,
    failOn: "error",
    pages: frames === "all" ? -1 : 1,
    sequentialRead: true,
  });
}

async function encode(format: Format, image: Sharp): Promise<Picture> {
  const { data, info } = await ENCODE[format](image).toBuffer({ resolveWithObject: true });
  const { type, extension } = FORMATS[format];
  return { bytes: data, type, extension, width: info.width, height: info.pageHeight ?? info.height };
}

/** Judges by the head alone, before anything is unpacked. */
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

/** Settings that a picture of the most pixels allowed takes about two seconds with. */
const ENCODE: Record<Format, (image: Sharp) => Sharp> = {
  jpeg: (image) => image.jpeg({ quality: 85 }),
  png: (image) => image.png(),
  gif: (image) => image.gif({ effort: 1 }),
  webp: (image) => image.webp({ quality: 85, effort: 1 }),
  avif: (image) => image.avif({ quality: 60, effort: 0 }),
};
