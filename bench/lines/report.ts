import type { Comparison } from "../measure/compare.ts";
import { type Measured, faultsOfLine, inListPages, sharesOf } from "./line.ts";
import { round, share, table } from "../report.ts";

type Columns = Record<string, (comparison: Comparison, all: readonly Measured[]) => string>;

/** The figures to compare. */
const SHARES: Columns = {
  "of bare": (comparison) => share(sharesOf(comparison).ofBare),
  "of JSON.stringify": (comparison) => share(sharesOf(comparison).ofJson),
  "of FTS5": (comparison) => shareIfAny(sharesOf(comparison).ofFts5),
  "p50 alone, ms": ({ alone }) => alone.toFixed(2),
  "CPU, ms": (comparison) => sharesOf(comparison).cpu.toFixed(2),
  "CPU, in list pages": (comparison, all) => shareIfAny(inListPages(comparison, all)),
};

/** Those that they come from. */
const FIGURES: Columns = {
  KB: ({ ours }) => (ours.bytes / 1_000).toFixed(1),
  "requests/s": ({ ours }) => round(ours.perSecond),
  "p50 ms": ({ ours }) => ours.p50.toFixed(1),
  "p99 ms": ({ ours }) => ours.p99.toFixed(1),
  "Node CPU µs": ({ ours }) => round(ours.cpu.program),
  "PostgreSQL CPU µs": ({ ours }) => round(ours.cpu.database),
  "bare/s": ({ bare }) => round(bare.perSecond),
  "bare CPU µs": ({ bare }) => round(bare.cpu.program),
  "bare busy": ({ bare }) => `${round(bare.busy * 100)} %`,
  "JSON.stringify/s": ({ json }) => round(json.perSecond),
  "JSON CPU µs": ({ json }) => round(json.cpu.program),
  "FTS5/s": ({ fts5 }) => (fts5 ? round(fts5.perSecond) : ""),
  "FTS5 CPU µs": ({ fts5 }) => (fts5 ? round(fts5.cpu.program) : ""),
};

/** The tables of the lines, as Markdown. */
export function linesTables(measured: readonly Measured[], judges: boolean): string {
  const row = ({ line, comparison }: Measured, columns: Columns) => [
    line.name,
    ...Object.values(columns).map((cell) => (comparison ? cell(comparison, measured) : "")),
  ];
  const shares = measured.map((one) => [...row(one, SHARES), verdictOf(one, measured, judges)]);
  const figures = measured.filter(({ comparison }) => comparison).map((one) => row(one, FIGURES));
  return [
    table(["Request", ...Object.keys(SHARES), "Verdict"], shares),
    table(["Request", ...Object.keys(FIGURES)], figures),
  ].join("\n\n");
}

/** Everything that is wrong with the lines, one sentence each. */
export function faultsOfLines(measured: readonly Measured[], judges: boolean): string[] {
  return measured.flatMap((one) => {
    if (one.invalid !== undefined) return [`${one.line.name}: void, because ${one.invalid}.`];
    return judges ? faultsOfLine(one, measured).map((fault) => `${one.line.name}: ${fault}.`) : [];
  });
}

function shareIfAny(ratio: number | undefined): string {
  return ratio === undefined ? "" : share(ratio);
}

function verdictOf(one: Measured, all: readonly Measured[], judges: boolean): string {
  if (one.invalid !== undefined) return `VOID: ${one.invalid}`;
  if (!judges || one.line.targets === undefined) return "";
  return faultsOfLine(one, all).join("; ") || "holds";
}
