/**
 * Writes what is derived from the sources and committed: src/platform/db/tables.ts and db/schema.sql from a
 * migrated database, openapi.json from the routes and the types of the client from it, .env.example and
 * docs/run/configuration.md from the settings. With --check it writes nothing and fails when a file is not what it should be.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { clientTypes } from "../clients/typescript/generate.ts";
import { openapiText } from "../src/operate/cli/openapi-document.ts";
import { configurationPage, environmentExample } from "./generate/configuration.ts";
import { databaseFiles } from "./generate/database.ts";

const check = process.argv.includes("--check");
const openapi = await openapiText();
const files: Record<string, string> = {
  ".env.example": environmentExample(),
  "docs/run/configuration.md": configurationPage(),
  ...(await databaseFiles()),
  "openapi.json": openapi,
  "clients/typescript/src/api.ts": await clientTypes(openapi),
};

const stale: string[] = [];
for (const [path, content] of Object.entries(files)) {
  const present = await readFile(path, "utf8").catch(() => "");
  if (present === content) continue;
  stale.push(path);
  if (check) continue;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

if (check && stale.length > 0) {
  console.error(`Not up to date: ${stale.join(", ")}. Run \`npm run generate\` and commit the result.`);
  process.exitCode = 1;
} else {
  console.log(stale.length > 0 ? `Written: ${stale.join(", ")}` : "Generated files are up to date.");
}
