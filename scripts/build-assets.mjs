// Builds the styles, scripts and icons of the site, named after their bytes. Fails over the size budgets.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

/** The most bytes after brotli. What strangers get of the first, members of the second, the reference of the third, the editor of the last. */
const BUDGETS = {
  "site.css": 7 * 1024,
  "member.css": 6 * 1024,
  "reference.css": 5 * 1024,
  "site.js early.js view.js": 8 * 1024,
  "member.js": 5 * 1024,
  "reference.js": 5 * 1024,
  "editor.css": 2 * 1024,
  "editor.js": 20 * 1024,
};

export async function buildAssets(root, folder) {
  const source = join(root, "src/site/kit");
  const files = {
    "site.css": await bundle(join(source, "styles/site.css")),
    "site.js": await bundle(join(source, "client/site.ts")),
    "member.css": await bundle(join(source, "styles/member.css")),
    "member.js": await bundle(join(source, "client/member.ts")),
    "reference.css": await bundle(join(source, "styles/reference.css")),
    "reference.js": await bundle(join(source, "client/reference.ts")),
    "editor.css": await bundle(join(source, "styles/editor.css")),
    "editor.js": await bundle(join(source, "client/editor.ts")),
    "early.js": await bundle(join(source, "client/early.ts")),
    "view.js": await bundle(join(source, "client/view.ts")),
    "icons.svg": sprite((await iconsOf(root)).ICONS),
    "favicon.svg": readFileSync(join(root, "assets/favicon.svg"), "utf8"),
  };
  for (const budget of Object.entries(BUDGETS)) check(files, budget);
  mkdirSync(folder, { recursive: true });
  const names = {};
  for (const [name, text] of Object.entries(files)) {
    const [stem, suffix] = name.split(".");
    const digest = createHash("sha256").update(text).digest("hex").slice(0, 10);
    names[name] = `${stem}-${digest}.${suffix}`;
    writeFileSync(join(folder, names[name]), text);
  }
  writeFileSync(join(folder, "assets.json"), JSON.stringify(names));
  const current = new Set([...Object.values(names), "assets.json"]);
  for (const name of readdirSync(folder)) if (!current.has(name)) rmSync(join(folder, name));
}

async function bundle(path) {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["chrome109", "firefox115", "safari16.4"],
    logLevel: "warning",
  });
  return outputFiles[0].text.trim();
}

/** The module `src/site/kit/icons.ts`. */
export async function iconsOf(root) {
  const { outputFiles } = await build({
    entryPoints: [join(root, "src/site/kit/icons.ts")],
    write: false,
    format: "esm",
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

function sprite(icons) {
  const symbols = Object.entries(icons).map(
    ([name, shapes]) =>
      `<symbol id="${name}" viewBox="0 0 24 24" stroke-linecap="round" stroke-linejoin="round">${shapes}</symbol>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>`;
}

function check(files, [names, budget]) {
  const texts = names.split(" ").map((name) => files[name]);
  const bytes = texts.reduce((sum, text) => sum + brotliCompressSync(text).length, 0);
  if (bytes > budget)
    throw new Error(`${names} take ${bytes} bytes of brotli, at most ${budget} are allowed`);
}
