import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { pngOf } from "../../../test/pictures.ts";
import { SIDES } from "./identicon.ts";
import { createImages } from "./images.ts";

const images = createImages({ deadlineMs: 20_000 });
afterAll(() => images.close());

/** A picture whose left third is red, whose middle is green, and whose right third is blue. */
function thirds(width = 300, height = 100) {
  const third = { width: width / 3, height, channels: 3 as const };
  const overlay = (background: string, index: number) => ({
    input: { create: { ...third, background } },
    left: (index * width) / 3,
    top: 0,
  });
  const create = { width, height, channels: 3 as const, background: "#000" };
  return sharp({ create }).composite(["#f00", "#0f0", "#00f"].map(overlay));
}

describe("a profile picture", () => {
  test.each([
    ["jpeg", "image/jpeg", "jpg"],
    ["png", "image/png", "png"],
    ["gif", "image/png", "png"],
    ["webp", "image/webp", "webp"],
    ["avif", "image/webp", "webp"],
  ] as const)(
    "of the format %s is kept as %s in all sizes, cut from its middle",
    async (format, type, extension) => {
      const made = await images.squares(await thirds().toFormat(format).toBuffer(), SIDES);
      expect(made.map(({ width, height }) => [width, height])).toEqual(SIDES.map((side) => [side, side]));
      for (const picture of made) {
        expect(picture).toMatchObject({ type, extension });
        const { channels } = await sharp(picture.bytes).removeAlpha().stats();
        const [red = 0, green = 0, blue = 0] = channels.map(({ mean }) => mean);
        expect(green).toBeGreaterThan(230);
        expect(red + blue).toBeLessThan(40);
      }
    },
  );

  test("stays transparent where it is", async () => {
    const bytes = await sharp({ create: { width: 50, height: 50, channels: 4, background: "#f008" } })
      .png()
      .toBuffer();
    const [made] = await images.squares(bytes, [60]);
    expect((await sharp(made?.bytes).stats()).isOpaque).toBe(false);
  });

  test("of one pixel, or as wide as can be and one high, is as large as the others", async () => {
    for (const bytes of [pngOf(1, 1), pngOf(24_000, 1), pngOf(1, 24_000)]) {
      const made = await images.squares(bytes, SIDES);
      expect(made.map(({ width }) => width)).toEqual([...SIDES]);
    }
  });

  test("stands upright, and nothing of what the file carries is in it", async () => {
    const bytes = await thirds(300, 90)
      .jpeg()
      .withExif({ IFD0: { Copyright: "Canary", Orientation: "6" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const [made] = await images.squares(bytes, [90]);
    const { exif, icc, orientation } = await sharp(made?.bytes).metadata();
    expect({ exif, icc, orientation }).toEqual({});
    expect(made?.bytes.includes("Canary")).toBe(false);
  });

  test("of many frames is its first", async () => {
    const raw = Buffer.concat([250, 80, 160].map((shade) => Buffer.alloc(20 * 10 * 3, shade)));
    const frames = sharp(raw, { raw: { width: 20, height: 30, channels: 3, pageHeight: 10 } });
    const [made] = await images.squares(await frames.gif({ delay: [100, 200, 300] }).toBuffer(), [60]);
    expect((await sharp(made?.bytes).metadata()).pages ?? 1).toBe(1);
    expect((await sharp(made?.bytes).stats()).channels[0]?.mean).toBeGreaterThan(240);
  });
});
