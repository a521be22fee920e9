import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { builtProgram } from "./build.ts";

/** A statement of the program, as the bundle has it, and as the next version has it. */
const CHANGE = [
  'selectFrom("settings").select(["key", "value"]).execute()',
  'selectFrom("settings").select(["key", "value", "mood"]).execute()',
] as const;

/** Makes the version after this one: it has one more expanding migration, and a statement that needs it. */
export async function nextVersion(dist = dirname(builtProgram())) {
  const root = await mkdtemp(join(tmpdir(), "inkstone-next-"));
  cpSync(dist, join(root, "dist"), { recursive: true });
  for (const name of ["node_modules", "package.json", "assets", "demo"])
    symlinkSync(join(dist, "..", name), join(root, name));
  const migrations = join(root, "dist/db/migrations");
  const number = readdirSync(migrations).length + 1;
  const migration = `${String(number).padStart(4, "0")}-moods.sql`;
  writeFileSync(join(migrations, migration), "-- expand\n\nalter table settings add column mood text;\n");
  const changed = readdirSync(join(root, "dist")).filter((name) => changeIn(join(root, "dist", name)));
  // Files of earlier builds may lie beside those of the last one.
  if (changed.length === 0) throw new Error("No file of the bundle reads the settings.");
  return {
    program: join(root, "dist/cli.js"),
    migration,
    remove: () => rm(root, { recursive: true }),
  };
}

function changeIn(path: string): boolean {
  if (!path.endsWith(".js")) return false;
  const text = readFileSync(path, "utf8");
  if (!text.includes(CHANGE[0])) return false;
  writeFileSync(path, text.replace(...CHANGE));
  return true;
}
