/** Measures reads, memory and start, beside other servers or the program of another checkout. */
import { resolve } from "node:path";
import { parseUrl } from "../src/platform/text/urls.ts";
import { besideReport } from "./beside.ts";
import { FLAG, type Report, runBench, TEXT, text, wholeNumber } from "./kit.ts";
import { measureBeside } from "./lines/beside.ts";
import type { Line } from "./lines/line.ts";
import { faultsOfLines, linesTables } from "./lines/report.ts";
import { LARGE, linesAt, SMALL } from "./lines.ts";
import { checkProcesses } from "./measure/processes.ts";
import { openProgram } from "./measure/program.ts";
import { hasWrk } from "./measure/wrk.ts";
import { type Bench, FULL, measureAll, measureRunning, PARTS, QUICK, type Results } from "./suite.ts";
import { faultsOfFigures, figuresTable } from "./report.ts";

await runBench("bench", {
  options: {
    articles: text(String(SMALL)),
    only: text(""),
    keep: TEXT,
    against: TEXT,
    pid: text(""),
    quick: FLAG,
    beside: TEXT,
  },
  section: ({ beside }) => (beside === undefined ? "results" : undefined),
  async measure({ articles, only, keep, quick, beside, against, pid }) {
    checkProcesses();
    if (!hasWrk()) throw new Error("Install wrk: it makes the load.");
    const size = wholeNumber("--articles", articles, 100, 9_999_999);
    const bench: Bench = {
      ...partsOf(only, linesAt(size)),
      articles: size,
      keep: keep === undefined ? undefined : resolve(keep),
      effort: quick ? QUICK : FULL,
    };
    if (beside !== undefined)
      return besideReport(await measureBeside(await openProgram(resolve(beside)), bench), beside);
    const results =
      against === undefined ? await measureAll(bench) : await measureRunning(serverAt(against, pid), bench);
    return reportOf(results, {
      lines: [SMALL, LARGE].includes(size) && !quick,
      figures: size === SMALL && !quick,
    });
  },
});

function serverAt(against: string, pid: string) {
  const number = wholeNumber("--pid", pid, 1, 2 ** 31 - 1);
  const url = parseUrl(against);
  if (url !== undefined) return { baseUrl: url.origin, pid: number };
  throw new Error(`--against must be an address like http://localhost:3000, not ${JSON.stringify(against)}`);
}

/** With a line that another one's limit is set in. */
function partsOf(given: string, all: readonly Line[]): Pick<Bench, "lines" | "parts"> {
  const matches = (name: string) => name.toLowerCase().includes(given.toLowerCase());
  const found = all.filter(({ name }) => matches(name));
  const others = new Set(found.map(({ targets }) => targets?.noDearerThan));
  const lines = all.filter((line) => found.includes(line) || others.has(line.name));
  const parts = PARTS.filter(matches);
  if (lines.length + parts.length > 0) return { lines, parts };
  const names = [...all.map(({ name }) => name), ...PARTS];
  throw new Error(`--only must be part of one of these names: ${names.join("; ")}`);
}

/** With limits where there are some for its size. */
function reportOf({ measured, figures }: Results, judges: { lines: boolean; figures: boolean }): Report {
  return {
    tables: [
      ...(measured.length > 0 ? [linesTables(measured, judges.lines)] : []),
      ...(figures.length > 0 ? [figuresTable(figures, judges.figures)] : []),
    ],
    faults: [...faultsOfLines(measured, judges.lines), ...(judges.figures ? faultsOfFigures(figures) : [])],
  };
}
