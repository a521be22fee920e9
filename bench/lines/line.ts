import type { Corpus } from "./corpus.ts";
import { firstPage } from "./fresh-search.ts";
import type { Comparison } from "../measure/compare.ts";
import type { Speed } from "../measure/turns.ts";
import type { Requests } from "../measure/wrk.ts";
import { least, most } from "../report.ts";

/** The running site, and the corpus on it. */
export interface Site {
  baseUrl: string;
  /** Unknown for a server that ran before. */
  dataDir?: string;
  corpus: Corpus;
}

/** Limits that a run must keep, on two processors. */
export interface Targets {
  /** Least share of the requests per second of bare `node:http`. */
  ofBare?: number;
  /** Least share of the requests per second of a server that only stringifies. */
  ofJson?: number;
  /** Least share of the requests per second of SQLite's FTS5. */
  ofFts5?: number;
  /** Most milliseconds at the median of one client alone. */
  alone?: number;
  /** Most milliseconds of processor time for a request, PostgreSQL's included. */
  cpu?: number;
  /** The line, if the same run measures it, whose processor time for a request is the most. */
  noDearerThan?: string;
  /** As many times that line's processor time is allowed; 1 by default. */
  times?: number;
}

/** One kind of request. */
export interface Line {
  name: string;
  /** With 10,000 articles. */
  targets?: Targets;
  /** With 100,000, all of them in memory. */
  largeTargets?: Targets;
  /** With 100,000 and the default memory it may need as many times the processor time. */
  timesByDefault?: number;
  /** Each answer must be made anew, so no address may come round while its answer is kept. */
  isFresh?: boolean;
  /** The server that stringifies does so with this page instead of the line's own, as the line's target is set. */
  jsonPage?: string;
  /** The servers to compare with send what the same requests get without their headers. */
  comparesPlain?: boolean;
  /** Whether a command of the site has to prepare it. */
  needsCommands?: boolean;
  /** How FTS5, where it is a server to compare with, joins the words of a search. */
  fts5?: "AND" | "OR";
  requests(site: Site): Requests | Promise<Requests>;
}

/** A line that was measured, or tried to be. */
export interface Measured {
  line: Line;
  /** Missing when an answer failed. */
  comparison?: Comparison;
  /** The reason why the figures say nothing. */
  invalid?: string;
}

/** The figures to compare between runs and computers. */
export function sharesOf({ ours, alone, bare, json, fts5 }: Comparison) {
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

/** Milliseconds of processor time for a request, PostgreSQL's included. */
export function cpuMs({ cpu: { program, database } }: Speed): number {
  return (program + database) / 1_000;
}
