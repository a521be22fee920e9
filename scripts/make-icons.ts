/** Writes `src/site/kit/icons.ts`; `npx tsx scripts/make-icons.ts bell` adds the icon `bell` of lucide. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ICONS } from "../src/site/kit/icons.ts";

const PACKAGE = "lucide-static@1.62.0";
const TARGET = join(import.meta.dirname, "../src/site/kit/icons.ts");

const folder = mkdtempSync(join(tmpdir(), "inkstone-icons-"));
try {
  execFileSync("npm", ["pack", "--silent", PACKAGE], { cwd: folder });
  execFileSync("tar", ["-xzf", ...readdirSync(folder)], { cwd: folder });
  const read = (file: string) => readFileSync(join(folder, "package", file), "utf8");
  const names = [...new Set([...Object.keys(ICONS), ...process.argv.slice(2)])].toSorted();
  const shapes = Object.fromEntries(names.map((name) => [name, shapesOf(read(`icons/${name}.svg`))]));
  writeFileSync(TARGET, sourceOf(read("LICENSE").trim(), shapes));
  execFileSync("npx", ["oxfmt", TARGET]);
} finally {
  rmSync(folder, { recursive: true });
}

function shapesOf(svg: string): string {
  const inside = svg.slice(svg.indexOf(">", svg.indexOf("<svg")) + 1, svg.lastIndexOf("</svg>"));
  return inside.replaceAll(/\s+/g, " ").trim();
}

function sourceOf(licence: string, icons: Record<string, string>): string {
  return `/** Written by \`scripts/make-icons.ts\`. */
export const SOURCE = ${JSON.stringify(PACKAGE)};

export const LICENCE = \`${licence}\`;

/** The shapes of each icon, by its name in lucide; the build makes one sprite of them. */
export const ICONS = ${JSON.stringify(icons)} as const;

export type IconName = keyof typeof ICONS;
`;
}
