/**
 * Prints how large the program is. `--files` prints the sources that run for a search, a create, a sign-up and a page
 * instead; `--check` fails over a limit.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startServer } from "../test/database.ts";
import { circles, files, SRC } from "../test/source-code.ts";
import { localServer } from "../test/mail-server.ts";
import { type Call, startWorld } from "../test/world.ts";

const ROOT = join(SRC, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const linesOf = (paths: string[]) => paths.reduce((sum, path) => sum + read(path).split("\n").length - 1, 0);
/** The committed files of a folder that have such a name. */
const committed = (folder: string, name: RegExp) =>
  execFileSync("git", ["ls-files", folder], { cwd: ROOT, encoding: "utf8" })
    .split("\n")
    .filter((path) => name.test(path));
const sources = (name: RegExp) => files.filter((file) => name.test(file)).map((file) => `src/${file}`);
const inSchema = (pattern: RegExp) => [...read("db/schema.sql").matchAll(pattern)].length;

const WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

const create = (title: string): Call => ({
  method: "POST",
  url: "/api/articles",
  body: { article: { title, body_markdown: "Words.", tags: ["a"], published: true } },
});

const search = (q: string): Call => ({ url: `/api/articles/search?q=${q}` });
const topPage = (top: string): Call => ({ url: `/?top=${top}` });

/** Asks for the link to the form of the account, ten seconds after the page was shown. */
const signUp = (name: string): Call => ({
  method: "POST",
  url: "/signup",
  headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams({
    email: `${name}@reader.example`,
    shown: String(Date.now() - 10_000),
  }).toString(),
});

/** Enough that no background work, on a slow computer either, runs during each but the first. */
const REQUESTS: { name: string; requests: Call[]; atMost: number }[] = [
  { name: "a search", requests: WORDS.map(search), atMost: 40 },
  { name: "a create", requests: WORDS.map(create), atMost: 60 },
  { name: "a sign-up", requests: WORDS.map(signUp), atMost: 27 },
  { name: "the front page", requests: ["ever", "week", "month", "year"].map(topPage), atMost: 35 },
];

/** The sources of which a function runs in the main thread while each request is answered, except the first. */
async function filesOf([warmUp, ...requests]: Call[]): Promise<string[]> {
  const world = await startWorld({ config: { mail: localServer(25) }, settings: { registration: "open" } });
  const session = new Session();
  session.connect();
  try {
    const key = await world.key(await world.user());
    const send = (call: Call) => world.request(call.headers === undefined ? { ...call, key } : call);
    await send(warmUp as Call);
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    let common: Set<string> | undefined;
    for (const request of requests) {
      await session.post("Profiler.takePreciseCoverage");
      const { status, text } = await send(request);
      if (status >= 400) throw new Error(`${request.url} answered ${status}: ${text}`);
      const { result } = await session.post("Profiler.takePreciseCoverage");
      const ran = result.filter(({ functions }) => functions.some(({ ranges }) => ranges[0]?.count));
      const urls = new Set(ran.map(({ url }) => url));
      common = common === undefined ? urls : new Set([...common].filter((url) => urls.has(url)));
    }
    const start = pathToFileURL(`${SRC}/`).href;
    return [...(common ?? [])].flatMap((url) => (url.startsWith(start) ? [url.slice(start.length)] : []));
  } finally {
    session.disconnect();
    await world.stop();
  }
}

const stopServer = await startServer();
const passed = new Map<string, string[]>();
for (const { name, requests } of REQUESTS) passed.set(name, await filesOf(requests));
await stopServer();

const sizes: [name: string, size: number, atMost?: number][] = [
  ["lines of src", linesOf(sources(/^(?!platform\/db\/tables\.ts$)/)), 66_950],
  ["lines of http/", linesOf(sources(/^http\//))],
  ["lines of routes", linesOf(sources(/(^|[/-])routes\.ts$/))],
  ["lines of tests", linesOf([...committed("src", /\.test\.tsx?$/), ...committed("test", /\.ts$/)]), 69_400],
  ["modules of test/ that help tests", committed("test", /(?<!\.test)\.ts$/).length, 50],
  ["lines of bench/", linesOf(committed("bench", /\.ts$/))],
  ...REQUESTS.map(({ name, atMost }): [string, number, number] => [
    `files that run for ${name}`,
    passed.get(name)?.length ?? 0,
    atMost,
  ]),
  ["tables", inSchema(/^create table/gim)],
  ["triggers", inSchema(/^create trigger/gim)],
  ["SQL functions", inSchema(/^create (or replace )?function/gim)],
  ["migrations", readdirSync(join(SRC, "platform/db/migrations")).length],
  ["import circles", circles().length, 0],
  ["locked packages", read("package-lock.json").match(/^ {4}"node_modules\//gm)?.length ?? 0, 600],
];

if (process.argv.includes("--files")) {
  for (const [name, list] of passed) console.log(`${name}:\n  ${list.toSorted().join("\n  ")}\n`);
} else {
  for (const [name, size, atMost] of sizes) {
    const limit = atMost === undefined ? "" : `, at most ${atMost.toLocaleString("en")}`;
    console.log(`${size.toLocaleString("en").padStart(7)}  ${name}${limit}`);
  }
}
const exceeded = sizes.filter(([, size, atMost = Infinity]) => size > atMost).map(([name]) => name);
if (process.argv.includes("--check") && exceeded.length > 0) {
  console.error(`Over the limit: ${exceeded.join(", ")}.`);
  process.exitCode = 1;
}
