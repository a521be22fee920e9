import type { Env, MarkdownIt, Token } from "markdown-it";
import { NO_REFERENCES, type References } from "../references.ts";

export interface Warning {
  /** In the body as it was sent, from 1. */
  line: number;
  sentence: string;
}

/** The knowledge that the rules share while they render one body. */
export interface RenderState {
  references: References;
  firstLine: number;
  warnings: Warning[];
  /** The line of the block that is parsed, from 0. */
  line: number;
  /** Whether tags mean nothing in the block that is parsed. */
  isRaw: boolean;
  /** Where tags mean nothing: between these lines, in their order. */
  rawRanges: { from: number; to: number }[];
  rawEnds: Set<number>;
}

const KEY = "inkstone";

export interface RenderOptions {
  references?: References | undefined;
  firstLine?: number | undefined;
}

export function newEnvironment({ references = NO_REFERENCES, firstLine = 1 }: RenderOptions): Env {
  const state: RenderState = {
    references,
    firstLine,
    warnings: [],
    line: 0,
    isRaw: false,
    rawRanges: [],
    rawEnds: new Set(),
  };
  return { [KEY]: state };
}

export function renderStateOf(env: Env): RenderState {
  return env[KEY] as RenderState;
}

const MAX_WARNINGS = 20;

/** The sentences in the order of their lines, and how many there are beyond the first ones. */
export function warningsOf(env: Env): string[] {
  const warnings = renderStateOf(env).warnings.toSorted((a, b) => a.line - b.line);
  const sentences = warnings.slice(0, MAX_WARNINGS).map(({ sentence }) => sentence);
  const more = warnings.length - sentences.length;
  return more === 0 ? sentences : [...sentences, `And ${more} more tags are shown as text.`];
}

/** Parses the text of each block as markdown-it does, and tells the rules the line of the block. */
export function inlineWithPlaces(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.at("inline", ({ tokens, md, env }) => {
    const state = renderStateOf(env);
    const isRaw = rawLines(state.rawRanges);
    for (const token of tokens) {
      // Cells of a table have no place of their own: their row has.
      if (token.map) state.line = token.map[0];
      if (token.type !== "inline") continue;
      state.isRaw = isRaw(state.line);
      md.inline.parse(token.content, md, env, (token.children ??= [] as Token[]));
    }
  });
}

/** Tells, of lines in ascending order, whether they are in one of these ranges. */
function rawLines(ranges: readonly { from: number; to: number }[]): (line: number) => boolean {
  let at = 0;
  return (line) => {
    while (at < ranges.length && (ranges[at]?.to ?? 0) < line) at++;
    return (ranges[at]?.from ?? Infinity) < line;
  };
}

interface Fault {
  name: string;
  /** From 0, in the text that is rendered. */
  line: number;
  problem: string;
}

/** Warns that a tag is shown as text, and why. */
export function warn(env: Env, { name, line, problem }: Fault): void {
  addWarning(env, line, (number) => `Tag {% ${name} %} in line ${number} ${problem}`);
}

export function warnUnknown(env: Env, { name, line }: Omit<Fault, "problem">): void {
  addWarning(env, line, (number) => `Unknown tag {% ${name} %} in line ${number}`);
}

function addWarning(env: Env, line: number, sentenceFor: (line: number) => string): void {
  const { firstLine, warnings } = renderStateOf(env);
  const number = firstLine + line;
  warnings.push({ line: number, sentence: `${sentenceFor(number)}: it is shown as text.` });
}
