import { least, most } from "../limits.ts";
import type { Comparison, Speed } from "../measure/compare.ts";
import { firstPage } from "./fresh-lists.ts";
import type { Line, Targets } from "./line.ts";

/** A line that was measured, or tried to be. */
export interface Measured {
  line: Line;
  /** Missing when an answer failed. */
  comparison?: Comparison;
  /** The reason why the figures say nothing. */
  invalid?: string;
}

/** The figures to compare between runs and computers. */
export interface Shares {
  ofBare: number;
  ofJson: number;
  ofFts5: number | undefined;
  alone: number;
  /** Milliseconds of processor time for a request, PostgreSQL's included. */
  cpu: number;
}

export function sharesOf({ ours, alone, bare, json, fts5 }: Comparison): Shares {
  return {
    ofBare: ours.perSecond / bare.perSecond,
    ofJson: ours.perSecond / json.perSecond,
    ofFts5: fts5 && ours.perSecond / fts5.perSecond,
    alone,
    cpu: cpuMs(ours),
  };
}

/** The share of a core that the bare server must have used, or else the load generator was the limit. */
const BUSY = 0.95;

/** Longer than any answer is kept. */
const KEPT_SECONDS = 1;

/** The reason why a comparison says nothing, if there is one. */
export function invalidity(
  { isFresh = false }: Line,
  { ours, bare }: Comparison,
  addresses: number,
): string | undefined {
  if (bare.busy < BUSY) return `the bare server was only ${Math.round(bare.busy * 100)} % busy`;
  const seconds = addresses / ours.perSecond;
  if (isFresh && seconds < KEPT_SECONDS) return `its addresses came round after ${seconds.toFixed(1)} s`;
  return undefined;
}

/** The targets that a line misses, one sentence each. */
export function faultsOfLine({ line, comparison }: Measured, all: readonly Measured[]): string[] {
  if (comparison === undefined) return [];
  const { ofBare, ofJson, ofFts5, alone, cpu, noDearerThan, times = 1 }: Targets = line.targets ?? {};
  const shares = sharesOf(comparison);
  const other = all.find(({ line: { name } }) => name === noDearerThan)?.comparison;
  return [
    ...least("of bare", shares.ofBare, ofBare),
    ...least("of JSON.stringify", shares.ofJson, ofJson),
    ...least("of FTS5", shares.ofFts5 ?? 0, ofFts5),
    ...most("ms alone", shares.alone, alone),
    ...most("ms of CPU", shares.cpu, cpu),
    ...most(
      `ms of CPU, as ${times === 1 ? "" : `${times} times `}"${noDearerThan}"`,
      shares.cpu,
      other === undefined ? undefined : times * cpuMs(other.ours),
    ),
  ];
}

/** The processor time of a request as many times that of a page of a plain list in the same run. */
export function inListPages({ ours }: Comparison, all: readonly Measured[]): number | undefined {
  const list = all.find(({ line }) => line.name === firstPage.name)?.comparison;
  return list && cpuMs(ours) / cpuMs(list.ours);
}

function cpuMs({ cpu: { program, database } }: Speed): number {
  return (program + database) / 1_000;
}
