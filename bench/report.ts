import { readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";

/** The results that stand in the README. */
export type Section =
  `${"" | "search " | "write " | "analytics " | "relevance " | "growth " | "keeping "}results`;

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

export function wordOf(holds: boolean): string {
  return holds ? "holds" : "EXCEEDS";
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
export async function writeReadme(name: Section, report: string): Promise<void> {
  const readme = await readFile(README, "utf8");
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
  const [from, to] = [readme.indexOf(start), readme.indexOf(end)];
  if (from < 0 || to < from)
    throw new Error(`bench/README.md has lost its markers: put \`${start.trim()}\` and \`${end}\` back.`);
  await writeFile(README, `${readme.slice(0, from + start.length)}${report}\n${readme.slice(to)}`);
}

/** A limit that a value misses, as a part of a sentence; empty when it holds or there is none. */
export function least(name: string, value: number, bound: number | undefined): string[] {
  if (bound === undefined || value >= bound) return [];
  return [`${bounded(value, bound)} ${name}, at least ${bounded(bound, bound)} needed`];
}

export function most(name: string, value: number, bound: number | undefined): string[] {
  if (bound === undefined || value <= bound) return [];
  return [`${bounded(value, bound)} ${name}, at most ${bounded(bound, bound)} allowed`];
}

function bounded(value: number, bound: number): string {
  return value.toFixed(bound < 10 ? 2 : 1);
}

/** A result that is one number. */
export interface Figure {
  name: string;
  value: number;
  unit: "ms" | "s" | "MiB" | "%" | "articles/s";
  /** The limit that a run must keep. */
  atMost?: number;
}

export function figuresTable(figures: readonly Figure[], judges: boolean): string {
  const rows = figures.map((figure) => {
    const { name, value, unit, atMost } = figure;
    const result = `${show(value)} ${unit}`;
    if (atMost === undefined || !judges) return [name, result, "", ""];
    return [name, result, `${show(atMost)} ${unit}`, wordOf(holds(figure))];
  });
  return table(["Also", "Result", "at most", "Verdict"], rows);
}

export function faultsOfFigures(figures: readonly Figure[]): string[] {
  return figures
    .filter((figure) => !holds(figure))
    .map(({ name, value, unit, atMost = 0 }) => {
      return `${name}: ${show(value)} ${unit}, but at most ${show(atMost)} ${unit} are allowed.`;
    });
}

function holds({ value, atMost = Infinity }: Figure): boolean {
  return value <= atMost;
}

function show(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 0 });
}
