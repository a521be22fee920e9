/**
 * Draws assets/*.png, which stand for the site and for articles that aren't public, and the pictures and recordings of
 * the demo community. Run it with `npx tsx scripts/make-pictures.ts`; what it draws is committed.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import sharp from "sharp";
import { film, poster } from "./pictures/demo/film.ts";
import { SIDES } from "../src/content/images/identicon.ts";
import { contours, knitting, sashiko } from "./pictures/demo/patterns.ts";
import { ORGANIZATIONS } from "./pictures/demo/organizations.ts";
import { PEOPLE } from "./pictures/demo/people.ts";
import { recordings } from "./pictures/demo/recordings.ts";
import { encodePng } from "./pictures/png.ts";
import { drawOrganization, drawSocial } from "./pictures/drawings.ts";
import { paint } from "./pictures/shapes.ts";

const DRAWINGS = new URL("pictures/demo/", import.meta.url);
const COMPUTED = { "brake-cables": poster(), contours: contours(), knitting: knitting(), sashiko: sashiko() };

await mkdir("assets/demo", { recursive: true });
await write("default-organization-640.png", encodePng(paint(drawOrganization, 640, 640)));
await write("social.png", encodePng(paint(drawSocial, 1200, 630)));
for (const name of (await readdir(DRAWINGS)).filter((name) => name.endsWith(".svg"))) {
  await write(`demo/${basename(name, ".svg")}.webp`, await toWebp(await readFile(new URL(name, DRAWINGS))));
}
for (const [name, svg] of Object.entries(COMPUTED)) {
  await write(`demo/${name}.webp`, await toWebp(Buffer.from(svg)));
}
for (const [username, svg] of Object.entries({ ...PEOPLE, ...ORGANIZATIONS })) {
  for (const side of SIDES)
    await write(`demo/${username}-${side}.webp`, await toPortrait(Buffer.from(svg), side));
}
await write(
  "favicon.ico",
  toIcon(await sharp("assets/favicon.svg", { density: 288 }).resize(32).png().toBuffer()),
);
for (const [index, wav] of recordings().entries()) await write(`demo/bench-notes-${index + 1}.wav`, wav);
await write("demo/brake-cables.webm", await film());

/** The smaller of both kinds: patterns are smaller without loss. */
async function toWebp(svg: Buffer): Promise<Buffer> {
  const picture = sharp(svg).removeAlpha();
  const lossy = await picture.clone().webp({ quality: 82, smartSubsample: true, effort: 6 }).toBuffer();
  const lossless = await picture.clone().webp({ lossless: true, effort: 6 }).toBuffer();
  return lossy.length < lossless.length ? lossy : lossless;
}

/** Small, because the package holds each of them in every size. */
function toPortrait(svg: Buffer, side: number): Promise<Buffer> {
  const picture = sharp(svg, { density: 288 }).resize(side).removeAlpha();
  return picture.webp({ quality: 50, effort: 6 }).toBuffer();
}

/** An ICO file of one PNG of 32 pixels. */
function toIcon(png: Buffer): Buffer {
  const head = Buffer.alloc(22);
  // A directory of type 1 (icon) with one image: 32 x 32, 1 plane, 32 bits a pixel, its size and offset.
  for (const [value, offset] of [
    [1, 2],
    [1, 4],
    [32 + 32 * 256, 6],
    [1, 10],
    [32, 12],
  ] as const) {
    head.writeUInt16LE(value, offset);
  }
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

async function write(name: string, bytes: Buffer): Promise<void> {
  await writeFile(`assets/${name}`, bytes);
  console.log(`assets/${name}: ${bytes.length} bytes`);
}
