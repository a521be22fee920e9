import type { Requests } from "../measure/wrk.ts";
import type { Corpus } from "./corpus.ts";

/** The running site, and the corpus on it. */
export interface Site {
  baseUrl: string;
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
  /** How FTS5, where it is a server to compare with, joins the words of a search. */
  fts5?: "AND" | "OR";
  /** Each answer must be made anew, so no address may come round while its answer is kept. */
  isFresh?: boolean;
  /** The server that stringifies does so with this page instead of the line's own, as the line's target is set. */
  jsonPage?: string;
  /** The servers to compare with send what the same requests get without their headers. */
  comparesPlain?: boolean;
  requests(site: Site): Requests | Promise<Requests>;
}
