import { parseArgs } from "node:util";
import { LINES } from "./lines.ts";
import type { Line } from "./lines/site.ts";
import { build } from "./measure/program.ts";
import { describeRun, type Measured, share, writeReadme, writeReport } from "./report.ts";
import { measureAll } from "./suite.ts";

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      articles: { type: "string", default: "10000" },
      only: { type: "string", default: "" },
      write: { type: "boolean", default: false },
    },
  });
  const lines = linesNamed(values.only);
  const articles = numberOfArticles(values.articles);
  const circumstances = describeRun(commandLine());
  await build();
  const { measured, singles } = await measureAll(lines, articles, say);
  const report = `${writeReport(measured, singles)}\n\n${circumstances}`;
  process.stdout.write(`${report}\n`);
  if (values.write) await writeReadme(report);
  const faults = measured.flatMap(faultsOf);
  for (const fault of faults) say(fault);
  if (faults.length > 0) process.exitCode = 1;
}

function linesNamed(part: string): Line[] {
  const lines = LINES.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()));
  if (lines.length > 0) return lines;
  throw new Error(`--only must be part of one of these names: ${LINES.map(({ name }) => name).join("; ")}`);
}

function numberOfArticles(text: string): number {
  if (/^[1-9]\d{2,6}$/.test(text)) return Number(text);
  throw new Error(`--articles must be a whole number from 100 to 9999999, not ${JSON.stringify(text)}`);
}

function faultsOf({ line: { name, floor = 0 }, comparison: { ours, bare } }: Measured): string[] {
  const ratio = ours.perSecond / bare.perSecond;
  return ratio < floor
    ? [`${name}: ${share(ratio)} of bare node:http, but the floor is ${share(floor)}.`]
    : [];
}

function commandLine(): string {
  const args = process.argv.slice(2).filter((arg) => arg !== "--write");
  return ["npm run bench", ...(args.length > 0 ? ["--", ...args] : [])].join(" ");
}

/** Progress goes to stderr, so that stdout holds the results and nothing else. */
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

// Ctrl-C reaches the processes of the bench too: they end, the measurement fails, and everything is cleared away.
process.once("SIGINT", () => say("Stopping"));

try {
  await run();
} catch (error) {
  say(`bench: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
