import { readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";

/** A result that is one number. */
export interface Single {
  name: string;
  result: string;
}

const README = join(import.meta.dirname, "README.md");

/** A Markdown table; the first column holds text, the others numbers. */
export function table(head: string[], rows: string[][]): string {
  const dashes = head.map((_, column) => (column === 0 ? "---" : "--:"));
  return [head, dashes, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

export function round(number: number): string {
  return Math.round(number).toLocaleString("en");
}

export function share(ratio: number): string {
  return ratio.toFixed(2);
}

/** The circumstances, for comparisons; read before the run, which is a load itself. */
export function describeRun(command: string): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return [
    `${new Date().toISOString().slice(0, 10)}, \`${command}\`, Node.js ${process.version} on ${process.platform} ${process.arch},`,
    `${processors.length} × ${processors[0]?.model.trim() ?? "unknown processor"}, ${memory} GiB,`,
    `load average before the run ${(loadavg()[0] ?? 0).toFixed(1)}.`,
  ].join("\n");
}

/** Replaces one of the results in the README, which stand between two comments with their name. */
export async function writeReadme(
  name:
    | "results"
    | "search results"
    | "write results"
    | "long write results"
    | "people results"
    | "analytics results"
    | "relevance results"
    | "webhook results",
  report: string,
): Promise<void> {
  const readme = await readFile(README, "utf8");
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
  const [from, to] = [readme.indexOf(start), readme.indexOf(end)];
  if (from < 0 || to < from)
    throw new Error(`bench/README.md has lost its markers: put \`${start.trim()}\` and \`${end}\` back.`);
  await writeFile(README, `${readme.slice(0, from + start.length)}${report}\n${readme.slice(to)}`);
}
