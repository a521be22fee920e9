// Builds dist/ when it is missing or older than its sources. Standard output stays the program's own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const SCRIPTS = ["build", "build-assets", "third-party-notices", "sbom", "no-cosmiconfig"];
const SOURCES = [
  "src",
  "assets/favicon.svg",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  ...SCRIPTS.map((name) => `scripts/${name}.mjs`),
];

/** The time of the last change below a path; 0 where there is nothing. */
function lastChange(path) {
  const found = statSync(join(ROOT, path), { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.mtimeMs ?? 0;
  const inside = readdirSync(join(ROOT, path)).map((name) => lastChange(join(path, name)));
  // The directory's own time moves when something in it is removed.
  return Math.max(found.mtimeMs, ...inside);
}

const write = (text) => process.stderr.write(text);

async function build() {
  const startedAt = performance.now();
  const seconds = () => `${Math.round((performance.now() - startedAt) / 1_000)} s`;
  write("Building Inkstone …");
  const { isTTY } = process.stderr;
  const ticking = isTTY ? setInterval(() => write(`\r\u001b[KBuilding Inkstone … ${seconds()}`), 1_000) : 0;
  const script = join(ROOT, "scripts/build.mjs");
  const bundler = spawn(process.execPath, [script], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [bundler.stdout, bundler.stderr]) stream.on("data", (text) => (said += text));
  const [status] = await once(bundler, "close");
  clearInterval(ticking);
  write(isTTY ? "\r\u001b[K" : "\n");
  if (status !== 0) process.exitCode = 1;
  write(status === 0 ? `Built Inkstone in ${seconds()}.\n` : `${said}inkstone: The build failed.\n`);
}

// The last file of a build, so that one that was broken off counts as none.
const built = lastChange("dist/.built");
const isStale = built === 0 || SOURCES.some((path) => lastChange(path) > built);
if (existsSync(join(ROOT, "node_modules/esbuild"))) {
  if (isStale) await build();
} else if (built === 0) {
  console.error("inkstone: The packages that build the program aren't installed: run `npm ci` first.");
  process.exitCode = 1;
}
