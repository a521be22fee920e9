import type { Comparison } from "../measure/compare.ts";
import { type Measured, faultsOfLine, inListPages, sharesOf } from "./line.ts";
import { round, share, table } from "../report.ts";

/** The tables of the lines, as Markdown: the figures to compare, and those that they come from. */
export function linesTables(measured: readonly Measured[], judges: boolean): string {
  return [
    table(
      [
        "Request",
        "of bare",
        "of JSON.stringify",
        "p50 alone, ms",
        "CPU, ms",
        "CPU, in list pages",
        "Verdict",
      ],
      measured.map((one) => comparedRow(one, measured, judges)),
    ),
    table(
      [
        "Request",
        "KB",
        "requests/s",
        "p50 ms",
        "p99 ms",
        "Node CPU µs",
        "PostgreSQL CPU µs",
        "bare/s",
        "bare CPU µs",
        "bare busy",
        "JSON.stringify/s",
        "JSON CPU µs",
      ],
      measured.flatMap(({ line, comparison }) => (comparison ? [[line.name, ...figuresOf(comparison)]] : [])),
    ),
  ].join("\n\n");
}

/** Everything that is wrong with the lines, one sentence each. */
export function faultsOfLines(measured: readonly Measured[], judges: boolean): string[] {
  return measured.flatMap((one) => {
    if (one.invalid !== undefined) return [`${one.line.name}: void, because ${one.invalid}.`];
    return judges ? faultsOfLine(one, measured).map((fault) => `${one.line.name}: ${fault}.`) : [];
  });
}

function comparedRow(one: Measured, all: readonly Measured[], judges: boolean): string[] {
  const { line, comparison } = one;
  const verdict = verdictOf(one, all, judges);
  if (comparison === undefined) return [line.name, "", "", "", "", "", verdict];
  const { ofBare, ofJson, alone, cpu } = sharesOf(comparison);
  const shares = [ofBare, ofJson].map(shareIfAny);
  const costs = [alone.toFixed(2), cpu.toFixed(2), shareIfAny(inListPages(comparison, all))];
  return [line.name, ...shares, ...costs, verdict];
}

function shareIfAny(ratio: number | undefined): string {
  return ratio === undefined ? "" : share(ratio);
}

function verdictOf(one: Measured, all: readonly Measured[], judges: boolean): string {
  if (one.invalid !== undefined) return `VOID: ${one.invalid}`;
  if (!judges || one.line.targets === undefined) return "";
  return faultsOfLine(one, all).join("; ") || "holds";
}

function figuresOf({ ours, bare, json }: Comparison): string[] {
  return [
    (ours.bytes / 1_000).toFixed(1),
    round(ours.perSecond),
    ours.p50.toFixed(1),
    ours.p99.toFixed(1),
    round(ours.cpu.program),
    round(ours.cpu.database),
    round(bare.perSecond),
    round(bare.cpu.program),
    `${round(bare.busy * 100)} %`,
    round(json.perSecond),
    round(json.cpu.program),
  ];
}
