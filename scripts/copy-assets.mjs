// Copies to dist/ what the compiled program reads beside its code: every file of src/ that isn't TypeScript.
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

for (const entry of readdirSync(join(ROOT, "src"), { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || /\.tsx?$/.test(entry.name)) continue;
  const from = join(entry.parentPath, entry.name);
  const to = join(ROOT, "dist", from.slice(join(ROOT, "src").length));
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

// Migrations that are gone from the sources would otherwise still run.
const migrations = new Set(readdirSync(join(ROOT, "src/db/migrations")));
for (const name of readdirSync(join(ROOT, "dist/db/migrations"))) {
  if (!migrations.has(name)) rmSync(join(ROOT, "dist/db/migrations", name));
}

writeFileSync(join(ROOT, "dist/.built"), "");
