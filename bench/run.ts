import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { parseUrl } from "../src/text/urls.ts";
import { commandLine, runBench, say, wholeNumber } from "./entry.ts";
import { faultsOfFigures, figuresTable } from "./figures.ts";
import type { Line } from "./lines/line.ts";
import { faultsOfLines, linesTables } from "./lines/report.ts";
import { LARGE, linesAt, SMALL } from "./lines.ts";
import { checkProcesses } from "./measure/processes.ts";
import { build } from "./measure/program.ts";
import { hasWrk } from "./measure/wrk.ts";
import { describeRun, writeReadme } from "./report.ts";
import { type Bench, FULL, measureAll, measureRunning, PARTS, QUICK, type Results } from "./suite.ts";

/** The results of a run that have limits. */
interface Judged {
  lines: boolean;
  figures: boolean;
}

const OPTIONS = {
  articles: { type: "string", default: String(SMALL) },
  only: { type: "string", default: "" },
  keep: { type: "string" },
  against: { type: "string" },
  pid: { type: "string", default: "" },
  quick: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
} as const;

async function run(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  checkProcesses();
  if (!hasWrk()) throw new Error("Install wrk: it makes the load.");
  const size = wholeNumber("--articles", values.articles, { from: 100, to: 9_999_999 });
  const bench: Bench = {
    ...partsNamed(values.only, linesAt(size)),
    articles: size,
    keep: values.keep === undefined ? undefined : resolve(values.keep),
    effort: values.quick ? QUICK : FULL,
  };
  const { articles, only, against, pid } = values;
  const command = commandLine("bench", {
    "--articles": articles,
    "--only": only,
    "--quick": "",
  });
  const circumstances = describeRun(command);
  const results = await measure(bench, against, pid);
  const judged: Judged = {
    lines: [SMALL, LARGE].includes(size) && !values.quick,
    figures: size === SMALL && !values.quick,
  };
  const report = `${reportOf(results, judged)}\n\n${circumstances}`;
  process.stdout.write(`${report}\n`);
  if (values.write) await writeReadme("results", report);
  const faults = [
    ...faultsOfLines(results.measured, judged.lines),
    ...(judged.figures ? faultsOfFigures(results.figures) : []),
  ];
  for (const fault of faults) say(fault);
  if (faults.length > 0) process.exitCode = 1;
}

async function measure(bench: Bench, against: string | undefined, pid: string): Promise<Results> {
  if (against !== undefined) {
    const number = wholeNumber("--pid", pid, { from: 1, to: 2 ** 31 - 1 });
    const url = parseUrl(against);
    if (url === undefined) {
      throw new Error(
        `--against must be an address like http://localhost:3000, not ${JSON.stringify(against)}`,
      );
    }
    return measureRunning({ baseUrl: url.origin, pid: number }, bench);
  }
  await build();
  return measureAll(bench);
}

/** With a line that another one's limit is set in. */
function partsNamed(text: string, all: readonly Line[]): Pick<Bench, "lines" | "parts"> {
  const matches = (name: string) => name.toLowerCase().includes(text.toLowerCase());
  const named = all.filter(({ name }) => matches(name));
  const others = new Set(named.map(({ targets }) => targets?.noDearerThan));
  const lines = all.filter((line) => named.includes(line) || others.has(line.name));
  const parts = PARTS.filter(matches);
  if (lines.length + parts.length > 0) return { lines, parts };
  const names = [...all.map(({ name }) => name), ...PARTS];
  throw new Error(`--only must be part of one of these names: ${names.join("; ")}`);
}

function reportOf({ measured, figures }: Results, judged: Judged): string {
  return [
    ...(measured.length > 0 ? [linesTables(measured, judged.lines)] : []),
    ...(figures.length > 0 ? [figuresTable(figures, judged.figures)] : []),
  ].join("\n\n");
}

await runBench("bench", run);
