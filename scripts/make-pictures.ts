/**
 * Draws assets/*.png: what stands in for pictures that nobody has given. Run it with
 * `npx tsx scripts/make-pictures.ts`; what it draws is committed.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { encodePng } from "./pictures/png.ts";
import { drawOrganization, drawSocial, drawUser } from "./pictures/drawings.ts";
import { paint } from "./pictures/shapes.ts";

const SIZES: [string, number][] = [
  ["-640", 640],
  ["-320", 320],
  ["-90", 90],
  ["-60", 60],
];

await mkdir("assets", { recursive: true });
for (const [suffix, size] of SIZES) {
  await write(`default-user${suffix}.png`, paint(drawUser, size, size));
  await write(`default-organization${suffix}.png`, paint(drawOrganization, size, size));
}
await write("social.png", paint(drawSocial, 1200, 630));

async function write(name: string, picture: ReturnType<typeof paint>): Promise<void> {
  const png = encodePng(picture);
  await writeFile(`assets/${name}`, png);
  console.log(`assets/${name}: ${picture.width} x ${picture.height}, ${png.length} bytes`);
}
