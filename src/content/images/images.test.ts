import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { AppError } from "../../platform/errors.ts";
import { disguises, pngOf } from "../../../test/pictures.ts";
import { createImages, IMAGE_LIMITS } from "./images.ts";
import { chunk } from "./tiles.ts";

const images = createImages({ deadlineMs: 20_000 });
afterAll(() => images.close());

const picture = (width = 64, height = 48) =>
  sharp({ create: { width, height, channels: 3, background: "#c81e3c" } });

async function refusal(bytes: Buffer, limits = IMAGE_LIMITS): Promise<string> {
  const error: unknown = await images.reencode(bytes, { limits }).then(
    () => new Error("it was accepted"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  expect((error as AppError).code).toBe("invalid");
  return (error as AppError).message;
}

describe("a picture", () => {
  test.each([
    ["jpeg", "image/jpeg", "jpg"],
    ["png", "image/png", "png"],
    ["gif", "image/gif", "gif"],
    ["webp", "image/webp", "webp"],
    ["avif", "image/avif", "avif"],
  ] as const)("of the format %s stays one, made anew", async (format, type, extension) => {
    const bytes = await picture().toFormat(format).toBuffer();
    const made = await images.reencode(bytes);
    expect(made).toMatchObject({ type, extension, width: 64, height: 48 });
    const { data } = await sharp(made.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    for (const [index, value] of [0xc8, 0x1e, 0x3c].entries()) {
      expect(Math.abs((data[index] ?? 0) - value)).toBeLessThan(12);
    }
  });

  test("loses where it was taken and everything else that it carries, and stands upright", async () => {
    const bytes = await picture(64, 32)
      .jpeg()
      .withExif({ IFD0: { Copyright: "Canary", Orientation: "6" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } })
      .withMetadata({ orientation: 6 })
      .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'>Canary</x:xmpmeta>")
      .toBuffer();
    expect((await sharp(bytes).metadata()).exif).toBeDefined();
    const made = await images.reencode(bytes);
    expect(made).toMatchObject({ width: 32, height: 64 });
    const { exif, xmp, iptc, icc, comments, orientation } = await sharp(made.bytes).metadata();
    expect({ exif, xmp, iptc, icc, comments, orientation }).toEqual({});
    expect(made.bytes.includes("Canary")).toBe(false);
  });

  test("keeps its frames, their times and how often they are shown", async () => {
    const raw = Buffer.concat([0, 80, 160].map((shade) => Buffer.alloc(20 * 10 * 3, shade)));
    const frames = sharp(raw, { raw: { width: 20, height: 30, channels: 3, pageHeight: 10 } });
    for (const bytes of [
      await frames
        .clone()
        .gif({ delay: [100, 200, 300], loop: 2 })
        .toBuffer(),
      await frames
        .clone()
        .webp({ delay: [100, 200, 300], loop: 2 })
        .toBuffer(),
    ]) {
      const made = await images.reencode(bytes);
      expect(made).toMatchObject({ width: 20, height: 10 });
      const seen = await sharp(made.bytes, { pages: -1 }).metadata();
      expect(seen).toMatchObject({ pages: 3, delay: [100, 200, 300], loop: 2 });
    }
  });

  test("of a phone, which puts data of its own behind it, is accepted", async () => {
    const bytes = Buffer.concat([
      await picture().jpeg().toBuffer(),
      Buffer.from("\0\0Image_UTC_Data1700000000SEFH"),
    ]);
    const made = await images.reencode(bytes);
    expect(made.bytes.includes("Image_UTC_Data")).toBe(false);
  });
});

describe("what isn't a picture, or is more than one, is refused", () => {
  const unknown = "Image isn't of a known format: send a JPEG, PNG, GIF, WebP or AVIF image";

  test.each([
    ["an SVG", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"],
    ["a PDF", "%PDF-1.7\n1 0 obj"],
    ["a page", "<!doctype html><script>alert(1)</script>"],
    ["a HEIC", "\0\0\0\x18ftypheic\0\0\0\0heicmif1 and more of it"],
    ["an archive", "PK\x03\x04 and more of it"],
    ["nothing much", "GIF"],
    ["nothing", ""],
  ])("%s", async (_name, text) => {
    expect(await refusal(Buffer.from(text, "latin1"))).toBe(unknown);
  });

  test.each(["jpeg", "png", "gif", "webp", "avif"] as const)(
    "a %s that goes on as something else",
    async (format) => {
      const bytes = await picture().toFormat(format).toBuffer();
      for (const [what, more] of disguises()) {
        expect(await refusal(Buffer.concat([bytes, more]))).toContain(`Image is also ${what}: send a JPEG`);
      }
    },
  );

  test("a page inside of a picture's own notes", async () => {
    const text = chunk("tEXt", Buffer.from("Comment\0<script>alert(1)</script>"));
    expect(await refusal(pngOf(8, 8, [text]))).toContain("Image is also a web page or script");
  });

  test("one whose beginning lies about the rest", async () => {
    const png = await picture().png().toBuffer();
    const lying = Buffer.concat([Buffer.from("\xff\xd8\xff", "latin1"), png]);
    expect(await refusal(lying)).toContain("Image is damaged, or isn't what it says it is");
  });

  test.each(["jpeg", "png", "gif", "webp", "avif"] as const)(
    "a %s that breaks off, or is full of noise",
    async (format) => {
      const bytes = await sharp(randomBytes(200 * 150 * 3), { raw: { width: 200, height: 150, channels: 3 } })
        .toFormat(format)
        .toBuffer();
      for (const part of [0.1, 0.5, 0.9]) {
        expect(await refusal(bytes.subarray(0, Math.floor(bytes.length * part)))).toMatch(/^Image is/);
      }
      const noise = Buffer.concat([bytes.subarray(0, 40), randomBytes(5_000)]);
      expect(await refusal(noise)).toMatch(/^Image/);
    },
  );
});

describe("what is too much is refused", () => {
  test("bytes", async () => {
    expect(await refusal(Buffer.alloc(11), { ...IMAGE_LIMITS, bytes: 10 })).toBe(
      "Image is larger than 10 bytes",
    );
  });

  test("pixels, those of all frames together, and frames", async () => {
    const png = await picture(101, 100).png().toBuffer();
    const limits = { ...IMAGE_LIMITS, pixels: 10_000 };
    expect(await refusal(png, limits)).toContain("Image has too many pixels");
    expect(await images.reencode(await picture(100, 100).png().toBuffer(), { limits })).toBeDefined();
    const raw = Buffer.concat(
      Array.from({ length: 201 }, (_, index) => Buffer.alloc(4 * 4 * 3, (index % 2) * 255)),
    );
    const gif = await sharp(raw, { raw: { width: 4, height: 4 * 201, channels: 3, pageHeight: 4 } })
      .gif()
      .toBuffer();
    expect(await refusal(gif)).toBe("Image has 201 frames: send one of at most 200");
    expect(await refusal(gif, { ...IMAGE_LIMITS, pixels: 3_000 })).toContain("all frames together");
  });

  test("a small file of 196 megapixels, which is not unpacked", async () => {
    const bomb = pngOf(14_000, 14_000);
    expect(bomb.length).toBeLessThan(700_000);
    await images.reencode(await picture().png().toBuffer());
    const before = memory();
    const sentences = await Promise.all(Array.from({ length: 8 }, () => refusal(bomb)));
    expect(new Set(sentences).size).toBe(1);
    expect(sentences[0]).toContain("Image has too many pixels: send one of at most 24 megapixels");
    // Unpacked it would be 588; a second process of its own is about 60.
    expect(memory() - before).toBeLessThan(200);
  });

  test("a file that unpacks to as much as is allowed stays within 300 MB", async () => {
    await images.reencode(await picture().png().toBuffer());
    const before = memory();
    const peak = { value: before };
    const watch = setInterval(() => (peak.value = Math.max(peak.value, memory())), 20);
    const made = await images.reencode(pngOf(4_898, 4_898));
    clearInterval(watch);
    expect(made.width).toBe(4_898);
    expect(peak.value - before).toBeLessThan(300);
  });

  test("time: the process is ended, and the next picture has another", async () => {
    const hasty = createImages({ size: 1, deadlineMs: 60 });
    const noise = await sharp(randomBytes(2_000 * 2_000 * 3), {
      raw: { width: 2_000, height: 2_000, channels: 3 },
    })
      .webp({ quality: 60, effort: 0 })
      .toBuffer();
    await expect(hasty.reencode(noise)).rejects.toThrow("Image takes too long to read: send a smaller one");
    await expect(hasty.reencode(noise)).rejects.toThrow("Image takes too long to read");
    hasty.close();
  });

  test("waiting: one too many is asked to come back, the others are served", async () => {
    const narrow = createImages({ size: 1, queue: 3, deadlineMs: 20_000 });
    const bytes = await picture().png().toBuffer();
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => narrow.reencode(bytes)));
    expect(results.map(({ status }) => status === "fulfilled")).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(results[5]).toMatchObject({ reason: { code: "unavailable", retryAfterSeconds: 5 } });
    narrow.close();
    await expect(narrow.reencode(bytes)).rejects.toMatchObject({ code: "unavailable" });
  });
});

/** Megabytes that this process and its image processes take up. */
function memory(): number {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const statuses = pids.map(statusOf).filter((text) => text.includes(`PPid:\t${process.pid}\n`));
  return (
    [...statuses, statusOf("self")].reduce(
      (sum, text) => sum + Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0),
      0,
    ) / 1024
  );
}

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
