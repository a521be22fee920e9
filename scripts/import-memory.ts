/**
 * Measures what an import of a large file needs: `tsx scripts/import-memory.ts [MEGABYTES]` (200 when
 * left out) makes a community file, imports it by the compiled program into an embedded database of
 * its own, and fails when the program's memory went over 300 MB. Linux only.
 */
import { spawn } from "node:child_process";
import { createWriteStream, readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const MAX_MEGABYTES = 300;
const SAMPLE_MS = 50;

const megabytes = Number(process.argv[2] ?? 200);
if (!(megabytes > 0)) throw new Error("The size is a number of megabytes, such as 200.");

const folder = await mkdtemp(join(tmpdir(), "inkstone-memory-"));
// A root user's database would otherwise be moved to another place, for another account.
await chmod(folder, 0o755);
try {
  const file = join(folder, "large.ndjson");
  await pipeline(Readable.from(records(megabytes * 1_000_000)), createWriteStream(file));
  // The import alone is measured, without the set-up of the database.
  await run(["user", "create", "--username", "first", "--name", "First"]);
  const { summary, peak } = await run(["import", file, "--json"]);
  console.log(`${megabytes} MB file: ${summary.trim()}`);
  console.log(`Peak memory of the program: ${peak} MB (at most ${MAX_MEGABYTES}).`);
  if (peak > MAX_MEGABYTES) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Articles of some 6 kB by a hundred people, until there are enough bytes. */
function* records(bytes: number): Generator<string> {
  for (let n = 0; n < 100; n++) yield toLine({ type: "user", username: `person_${n}`, name: `Person ${n}` });
  for (let n = 0, written = 0; written < bytes; n++) {
    const line = toLine({
      type: "article",
      slug: `article-number-${n}-x`,
      author: `person_${n % 100}`,
      title: `Article number ${n}`,
      tags: [`tag${n % 300}`, `other${n % 7}`],
      body_markdown: body(n),
      published_at: new Date(Date.UTC(2020, 0, 1) + n * 60_000).toISOString(),
    });
    written += line.length;
    yield line;
  }
}

function toLine(record: object): string {
  return `${JSON.stringify(record)}\n`;
}

function body(n: number): string {
  const paragraph = (p: number) =>
    Array.from({ length: 90 }, (_, w) => `word${(n * 7 + p * 31 + w * w) % 20_000}`).join(" ");
  const parts = Array.from({ length: 8 }, (_, p) => `## Part ${p}\n\n${paragraph(p)}, *well* and \`code\`.`);
  return parts.join("\n\n");
}

/** Runs the program and watches the most memory it ever had. */
async function run(args: string[]): Promise<{ summary: string; peak: number }> {
  const env = { PATH: process.env["PATH"], DATA_DIR: join(folder, "data"), LOG_LEVEL: "warn" };
  const child = spawn(process.execPath, ["bin/inkstone.js", ...args], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let summary = "";
  let peak = 0;
  child.stdout.on("data", (text: Buffer) => (summary += String(text)));
  const sampling = setInterval(() => (peak = Math.max(peak, highWaterMark(child.pid))), SAMPLE_MS);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearInterval(sampling);
  if (code !== 0) throw new Error(`inkstone ${args[0]} ended with ${code}.`);
  return { summary, peak };
}

function highWaterMark(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_000);
  } catch {
    // It has just ended.
    return 0;
  }
}
