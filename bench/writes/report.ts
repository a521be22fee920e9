import type { Report } from "../kit.ts";
import type { Line } from "./lines.ts";
import type { Read } from "./reads.ts";
import type { WriteResults } from "./suite.ts";
import { faultsOfFigures, figuresTable, least, most, round, share, table } from "../report.ts";

export function writeReport({ lines, figures, reads }: WriteResults): Report {
  return {
    tables: [
      ...(lines.length > 0 ? [linesTable(lines)] : []),
      ...(figures.length > 0 ? [figuresTable(figures, true)] : []),
      ...(reads.length > 0 ? [readsTable(reads)] : []),
    ],
    faults: [
      ...lines.flatMap((line) => faultsOfLine(line).map((fault) => `${line.name}: ${fault}.`)),
      ...faultsOfFigures(figures),
      ...reads.flatMap((read) => faultsOfRead(read).map((fault) => `${read.name}: ${fault}.`)),
    ],
  };
}

function linesTable(lines: readonly Line[]): string {
  return table(
    ["Write", "per second", "p50 ms", "p99 ms", "CPU ms", "WAL KB", "Verdict"],
    lines.map((line) => [
      line.name,
      round(line.perSecond),
      ...[line.p50, line.p99, line.cpu, line.wal].map((figure) => figure?.toFixed(1) ?? ""),
      faultsOfLine(line).join("; ") || "holds",
    ]),
  );
}

function faultsOfLine({ perSecond, cpu = 0, wal = 0, targets = {} }: Line): string[] {
  return [
    ...least("a second", perSecond, targets.perSecond),
    ...most("ms of CPU", cpu, targets.cpu),
    ...most("KB of WAL", wal, targets.wal),
  ];
}

/** As many times the p99 without writes is allowed beside them. */
const MOST_TIMES = 2;

function readsTable(reads: readonly Read[]): string {
  const times = ["p50 idle, ms", "p50 ms", "p99 idle, ms", "p99 ms", "p99 ratio"];
  return table(
    ["Read beside 100 new articles a second", ...times, "Verdict"],
    reads.map((read) => {
      const { name, idle, beside } = read;
      const figures = [idle.p50, beside.p50, idle.p99, beside.p99].map((figure) => figure.toFixed(2));
      return [name, ...figures, share(beside.p99 / idle.p99), faultsOfRead(read).join("; ") || "holds"];
    }),
  );
}

function faultsOfRead({ idle, beside }: Read): string[] {
  return most("times p99", beside.p99 / idle.p99, MOST_TIMES);
}
