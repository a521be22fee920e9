/** Prints how large the program is: `npm run sizes`. */
import { readdirSync, readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startServer } from "../test/database.ts";
import { circles, files, SRC } from "../test/imports.ts";
import { type Call, startWorld } from "../test/world.ts";

const ROOT = join(SRC, "..");
const list = (folder: string) => readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
const linesOf = (paths: string[]) =>
  paths.reduce((sum, path) => sum + readFileSync(join(ROOT, path), "utf8").split("\n").length - 1, 0);

/** The sources of which a function runs in the main thread while the second of two requests is answered. */
async function filesOf(warmUp: Call, request: Call): Promise<number> {
  const world = await startWorld();
  const session = new Session();
  session.connect();
  try {
    const key = await world.key(await world.user());
    await world.request({ ...warmUp, key });
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await session.post("Profiler.takePreciseCoverage");
    const { status, text } = await world.request({ ...request, key });
    if (status >= 300) throw new Error(`${request.url} answered ${status}: ${text}`);
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const ran = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0));
    return ran.filter(({ url }) => url.startsWith(pathToFileURL(SRC).href)).length;
  } finally {
    session.disconnect();
    await world.stop();
  }
}

const search = (q: string): Call => ({ url: `/api/articles/search?q=${q}` });
const create = (title: string): Call => ({
  method: "POST",
  url: "/api/articles",
  body: { article: { title, body_markdown: "Words.", tags: ["a"], published: true } },
});

const stopServer = await startServer();
const sizes: [string, number][] = [
  ["lines of src", linesOf(files.filter((file) => file !== "db/tables.ts").map((file) => `src/${file}`))],
  [
    "lines of tests",
    linesOf([
      ...list("src").flatMap((file) => (file.endsWith(".test.ts") ? `src/${file}` : [])),
      ...list("test").flatMap((file) => (/(?<!\.d)\.(ts|mjs)$/.test(file) ? `test/${file}` : [])),
    ]),
  ],
  ...["articles", "webhooks", "cli", "text"].map((folder): [string, number] => [
    `files in ${folder}/`,
    files.filter((file) => file.startsWith(`${folder}/`)).length,
  ]),
  ["files that run for a search", await filesOf(search("one"), search("two"))],
  ["files that run for a create", await filesOf(create("One"), create("Two"))],
  ["import circles", circles().length],
  ["migrations", list("src/db/migrations").length],
];
await stopServer();
for (const [name, size] of sizes) console.log(`${size.toLocaleString("en").padStart(7)}  ${name}`);
