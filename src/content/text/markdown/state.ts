import type { Env, MarkdownIt, Token } from "markdown-it";
import { NO_REFERENCES, type References } from "../references.ts";

export interface Warning {
  /** The line of the sent body, from 1. */
  line: number;
  sentence: string;
}

export interface RenderState {
  references: References;
  firstLine: number;
  warnings: Warning[];
  line: number;
  isRaw: boolean;
  rawRanges: { from: number; to: number }[];
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
  };
  return { [KEY]: state };
}

export function renderStateOf(env: Env): RenderState {
  return env[KEY] as RenderState;
}

const MAX_WARNINGS = 20;

export function warningsOf(env: Env): string[] {
  const warnings = renderStateOf(env).warnings.toSorted((a, b) => a.line - b.line);
  const sentences = warnings.slice(0, MAX_WARNINGS).map(({ sentence }) => sentence);
  const more = warnings.length - sentences.length;
  return more === 0 ? sentences : [...sentences, `And ${more} more tags are shown as text.`];
}

/** Tells the rules the line of each block. */
export function inlineWithPlaces(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.at("inline", ({ tokens, md, env }) => {
    const state = renderStateOf(env);
    for (const token of tokens) {
      // Cells have no line of their own.
      if (token.map) state.line = token.map[0];
      if (token.type !== "inline") continue;
      state.isRaw = state.rawRanges.some(({ from, to }) => from < state.line && state.line <= to);
      md.inline.parse(token.content, md, env, (token.children ??= [] as Token[]));
    }
  });
}

interface Fault {
  name: string;
  /** The line of the rendered text, from 0. */
  line: number;
  /** Undefined for an unknown tag. */
  problem: string | undefined;
}

export function warn(env: Env, { name, line, problem }: Fault): void {
  const { firstLine, warnings } = renderStateOf(env);
  const number = firstLine + line;
  const fault =
    problem === undefined
      ? `Unknown tag {% ${name} %} in line ${number}`
      : `Tag {% ${name} %} in line ${number} ${problem}`;
  warnings.push({ line: number, sentence: `${fault}: it is shown as text.` });
}
