import { parseArgs } from "node:util";
import { commandLine, runBench, say, wholeNumber } from "./entry.ts";
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
  const articles = wholeNumber("--articles", values.articles, { from: 100, to: 9_999_999 });
  const circumstances = describeRun(
    commandLine("bench", { "--articles": values.articles, "--only": values.only }),
  );
  await build();
  const { measured, singles } = await measureAll(lines, articles, say);
  const report = `${writeReport(measured, singles)}\n\n${circumstances}`;
  process.stdout.write(`${report}\n`);
  if (values.write) await writeReadme("results", report);
  const faults = measured.flatMap(faultsOf);
  for (const fault of faults) say(fault);
  if (faults.length > 0) process.exitCode = 1;
}

function linesNamed(part: string): Line[] {
  const lines = LINES.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()));
  if (lines.length > 0) return lines;
  throw new Error(`--only must be part of one of these names: ${LINES.map(({ name }) => name).join("; ")}`);
}

function faultsOf({ line: { name, floor = 0 }, comparison: { ours, bare } }: Measured): string[] {
  const ratio = ours.perSecond / bare.perSecond;
  return ratio < floor
    ? [`${name}: ${share(ratio)} of bare node:http, but the floor is ${share(floor)}.`]
    : [];
}

await runBench("bench", run);
