// Builds the styles, scripts and icons of the site, named after their bytes. Fails over the size budgets.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

/** Bytes after brotli. */
const BUDGETS = { css: 12 * 1024, js: 8 * 1024 };

export async function buildAssets(root, folder) {
  const source = join(root, "src/web");
  const files = {
    "site.css": await bundle(join(source, "styles/site.css")),
    "site.js": await bundle(join(source, "client/site.ts")),
    "reference.css": await bundle(join(source, "styles/reference.css")),
    "reference.js": await bundle(join(source, "client/reference.ts")),
    "early.js": await bundle(join(source, "client/early.ts")),
    "view.js": await bundle(join(source, "client/view.ts")),
    "icons.svg": sprite((await iconsOf(root)).ICONS),
    "favicon.svg": readFileSync(join(root, "assets/favicon.svg"), "utf8"),
  };
  check("CSS", BUDGETS.css, [files["site.css"], files["reference.css"]]);
  check("scripts", BUDGETS.js, [
    files["site.js"],
    files["reference.js"],
    files["early.js"],
    files["view.js"],
  ]);
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

/** The module `src/web/icons.ts`. */
export async function iconsOf(root) {
  const { outputFiles } = await build({
    entryPoints: [join(root, "src/web/icons.ts")],
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

function check(kind, budget, texts) {
  const bytes = texts.reduce((sum, text) => sum + brotliCompressSync(text).length, 0);
  if (bytes > budget)
    throw new Error(`The ${kind} take ${bytes} bytes of brotli, at most ${budget} are allowed`);
}
