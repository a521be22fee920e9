/**
 * Draws assets/*.png: what stands for the site, and for articles that aren't public. Run it with
 * `npx tsx scripts/make-pictures.ts`; what it draws is committed.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { encodePng } from "./pictures/png.ts";
import { drawOrganization, drawSocial } from "./pictures/drawings.ts";
import { paint } from "./pictures/shapes.ts";

await mkdir("assets", { recursive: true });
await write("default-organization-640.png", paint(drawOrganization, 640, 640));
await write("social.png", paint(drawSocial, 1200, 630));

async function write(name: string, picture: ReturnType<typeof paint>): Promise<void> {
  const png = encodePng(picture);
  await writeFile(`assets/${name}`, png);
  console.log(`assets/${name}: ${picture.width} x ${picture.height}, ${png.length} bytes`);
}
