// Builds dist/ when it is missing or older than what it is made from.
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const SOURCES = ["src", "package.json", "tsconfig.json", "tsconfig.build.json", "scripts/copy-assets.mjs"];

/** The time of the last change below a path; 0 where there is nothing. */
function lastChange(path) {
  const found = statSync(join(ROOT, path), { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.mtimeMs ?? 0;
  const inside = readdirSync(join(ROOT, path)).map((name) => lastChange(join(path, name)));
  // The directory's own time moves when something in it is removed.
  return Math.max(found.mtimeMs, ...inside);
}

// The last file of a build, so that one that was broken off counts as none.
const built = lastChange("dist/.built");
if (built === 0 || SOURCES.some((path) => lastChange(path) > built)) {
  console.error("Building Inkstone …");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const { status } = spawnSync(npm, ["run", "--silent", "build"], { cwd: ROOT, stdio: ["ignore", 2, 2] });
  process.exitCode = status ?? 1;
}
