import { faultsOfFigures, type Figure, figuresTable } from "../figures.ts";
import { least, most } from "../limits.ts";
import { round, share, table } from "../report.ts";
import type { Line } from "./lines.ts";
import type { LongResults } from "./long.ts";
import type { Read } from "./reads.ts";
import type { WriteResults } from "./suite.ts";

/** The tables of a run, as Markdown. */
export function writeReport({ lines, figures, reads }: WriteResults): string {
  return [
    ...(lines.length > 0 ? [linesTable(lines)] : []),
    ...(figures.length > 0 ? [figuresTable(figures, true)] : []),
    ...(reads.length > 0 ? [readsTable(reads)] : []),
  ].join("\n\n");
}

/** The missed limits, one sentence each. */
export function faultsOfWrites({ lines, figures, reads }: WriteResults): string[] {
  return [
    ...lines.flatMap((line) => faultsOfLine(line).map((fault) => `${line.name}: ${fault}.`)),
    ...faultsOfFigures(figures),
    ...reads.flatMap((read) => faultsOfRead(read).map((fault) => `${read.name}: ${fault}.`)),
  ];
}

function linesTable(lines: readonly Line[]): string {
  return table(
    ["Write", "per second", "p50 ms", "p99 ms", "CPU ms", "WAL KB", "of bare SQL", "Verdict"],
    lines.map((line) => [
      line.name,
      line.perSecond < 10 ? tenths(line.perSecond) : round(line.perSecond),
      ...[line.p50, line.p99, line.cpu, line.wal].map(tenths),
      line.ofBare === undefined ? "" : share(line.ofBare),
      line.targets === undefined ? "" : faultsOfLine(line).join("; ") || "holds",
    ]),
  );
}

function tenths(figure: number | undefined): string {
  return figure?.toFixed(1) ?? "";
}

function faultsOfLine({ perSecond, cpu = 0, wal = 0, ofBare = Infinity, targets = {} }: Line): string[] {
  return [
    ...least("a second", perSecond, targets.perSecond),
    ...most("ms of CPU", cpu, targets.cpu),
    ...most("KB of WAL", wal, targets.wal),
    ...least("of bare SQL", ofBare, targets.ofBare),
  ];
}

/** As many times the p99 without writes is allowed beside them. */
const MOST_TIMES = 2;

function readsTable(reads: readonly Read[]): string {
  return table(
    [
      "Read beside 100 new articles a second",
      "p50 idle, ms",
      "p50 ms",
      "p99 idle, ms",
      "p99 ms",
      "p99 ratio",
      "Verdict",
    ],
    reads.map((read) => {
      const { name, idle, beside } = read;
      const times = [idle.p50, beside.p50, idle.p99, beside.p99].map((figure) => figure.toFixed(2));
      return [name, ...times, share(beside.p99 / idle.p99), faultsOfRead(read).join("; ") || "holds"];
    }),
  );
}

function faultsOfRead({ idle, beside }: Read): string[] {
  return most("times p99", beside.p99 / idle.p99, MOST_TIMES);
}

const START_MS = 5_000;

/** The tables of a long run, as Markdown. */
export function longReport(results: LongResults): string {
  const { minutes, settings, checkpoints } = results;
  const head = ["Minute", "per second", "p50 ms", "p99 ms", "CPU ms", "WAL KB", "Memory (PSS) MiB"];
  return [
    table(
      [...head, "waiting tasks", "checkpoints", "autovacuums"],
      minutes.map(({ perSecond, p50, p99, cpu, wal, memory, ...counts }, index) => [
        String(index + 1),
        round(perSecond),
        ...[p50, p99, cpu, wal].map(tenths),
        ...[memory, counts.tasks, counts.checkpoints, counts.vacuums].map(round),
      ]),
    ),
    figuresTable(longFigures(results), true),
    `${settings}. Checkpoints: ${checkpoints.requested} for their log, ${checkpoints.timed} for the time.`,
  ].join("\n\n");
}

export function faultsOfLong(results: LongResults): string[] {
  return faultsOfFigures(longFigures(results));
}

function longFigures({ replayed, start }: LongResults): Figure[] {
  const name = `Start after \`kill -9\` with ${round(replayed)} MB of WAL since the last checkpoint`;
  return [{ name, value: start, unit: "ms", atMost: START_MS }];
}
