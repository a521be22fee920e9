import sharp from "sharp";
import { at, box, C, disc, line, svg } from "./svg.ts";

const WIDTH = 640;
const HEIGHT = 360;
const SECONDS = 4;
const FRAME_MS = 80;

/** A brake's lever, cable and pads, as far squeezed as said: from 0 to 1. */
function brake(squeezed: number): string {
  const gap = 26 * (1 - squeezed);
  const arm = (side: number) => {
    const pad = 452 + side * (45 + gap);
    const path = `M452 84 C${452 + side * 70} 84 ${pad + side * 46} 120 ${pad + side * 14} 214`;
    return line(path, C.mist, 17) + box([pad - 13, 196, 26, 58], C.honey, 6);
  };
  const wheel =
    box([418, 66, 68, 340], C.ink, 34) +
    line("M452 92 V360", "#3a3732", 8) +
    box([426, 150, 52, 240], C.slate, 10) +
    box([434, 150, 36, 240], C.mist, 6);
  const cable = line(`M${196 - squeezed * 8} 126 C232 22 400 -8 452 70`, C.red, 6);
  const lever = at(188, 142, line("M8 -8 C-10 26 -60 44 -150 40", C.mist, 15) + disc(0, 0, 13, C.slate), {
    turn: squeezed * 10,
  });
  const bar =
    line("M-20 128 H150", C.slate, 26) +
    line("M-20 128 H112", C.ink, 36) +
    box([148, 110, 60, 36], C.slate, 10);
  return svg(
    box([0, 0, WIDTH, HEIGHT], "#7f95a6") +
      disc(452, 214, 150, "#8ca1b1") +
      wheel +
      arm(-1) +
      arm(1) +
      disc(452, 84, 17, C.slate) +
      cable +
      lever +
      bar,
    WIDTH,
    HEIGHT,
  );
}

/** How far it is squeezed: a second of rest, a second of grip. */
function squeezeAt(ms: number): number {
  const part = Math.min(Math.max(Math.min(ms - 800, 3_200 - ms) / 640, 0), 1);
  return part * part * (3 - 2 * part);
}

export const poster = (): string => brake(0.4);

/** A WebM of VP8: a WebP's picture is a whole frame of that. */
export async function film(): Promise<Buffer> {
  const blocks: Buffer[] = [];
  let shown = -1;
  for (let ms = 0; ms < SECONDS * 1_000; ms += FRAME_MS) {
    const squeezed = squeezeAt(ms);
    if (squeezed === shown) continue;
    shown = squeezed;
    const webp = await sharp(Buffer.from(brake(squeezed)))
      .removeAlpha()
      .webp({ quality: 70, effort: 6 })
      .toBuffer();
    const head = Buffer.from([0x81, ms >> 8, ms & 255, 0x80]);
    blocks.push(element("a3", head, webp.subarray(20, 20 + webp.readUInt32LE(16))));
  }
  const video = element("e0", element("b0", number(WIDTH)), element("ba", number(HEIGHT)));
  const track = element(
    "ae",
    ...["d7", "73c5", "83"].map((id) => element(id, number(1))),
    element("86", Buffer.from("V_VP8")),
    video,
  );
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(SECONDS * 1_000);
  const names = ["4d80", "5741"].map((id) => element(id, Buffer.from("Inkstone")));
  const info = element("1549a966", element("2ad7b1", number(1_000_000)), element("4489", duration), ...names);
  const versions = [
    ["4286", 1],
    ["42f7", 1],
    ["42f2", 4],
    ["42f3", 8],
  ] as const;
  return Buffer.concat([
    element(
      "1a45dfa3",
      ...versions.map(([id, version]) => element(id, number(version))),
      element("4282", Buffer.from("webm")),
      ...["4287", "4285"].map((id) => element(id, number(2))),
    ),
    element(
      "18538067",
      info,
      element("1654ae6b", track),
      element("1f43b675", element("e7", number(0)), ...blocks),
    ),
  ]);
}

/** An element of EBML: its id, the length of its content in eight bytes, its content. */
function element(id: string, ...content: Buffer[]): Buffer {
  const bytes = Buffer.concat(content);
  const length = Buffer.alloc(8);
  length.writeUInt32BE(bytes.length, 4);
  length[0] = 1;
  return Buffer.concat([Buffer.from(id, "hex"), length, bytes]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
