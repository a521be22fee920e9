import type { Env } from "markdown-it";
import { NO_REFERENCES, type References } from "../references.ts";

export interface Warning {
  /** In the body as it was sent, from 1. */
  line: number;
  sentence: string;
}

/** What the rules know and remember of the body that they are at work on. */
export interface Surroundings {
  references: References;
  /** The number of the body's first line. */
  firstLine: number;
  warnings: Warning[];
  /** The line of the block that is parsed, from 0. */
  line: number;
  /** Whether tags mean nothing in the block that is parsed. */
  isRaw: boolean;
  /** Where tags mean nothing: between these lines, in their order. */
  rawRanges: { from: number; to: number }[];
  /** The lines on which those end. */
  rawEnds: Set<number>;
}

const KEY = "inkstone";

export interface RenderOptions {
  references?: References | undefined;
  firstLine?: number | undefined;
}

/** What a rendering begins with. */
export function newEnvironment({ references = NO_REFERENCES, firstLine = 1 }: RenderOptions): Env {
  const surroundings: Surroundings = {
    references,
    firstLine,
    warnings: [],
    line: 0,
    isRaw: false,
    rawRanges: [],
    rawEnds: new Set(),
  };
  return { [KEY]: surroundings };
}

export function surroundingsOf(env: Env): Surroundings {
  return env[KEY] as Surroundings;
}

const MAX_WARNINGS = 20;

/** The sentences in the order of their lines, and how many there are beyond the first ones. */
export function warningsOf(env: Env): string[] {
  const warnings = surroundingsOf(env).warnings.toSorted((a, b) => a.line - b.line);
  const sentences = warnings.slice(0, MAX_WARNINGS).map(({ sentence }) => sentence);
  const more = warnings.length - sentences.length;
  return more === 0 ? sentences : [...sentences, `And ${more} more tags are shown as text.`];
}
