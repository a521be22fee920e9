import { Lexer } from "yaml";
import { problem } from "./front-matter-problem.ts";

/** More than any editor writes. What is nested thousands of levels deep ends the whole process in the parser. */
const MAX_DEPTH = 20;
/** Several hundred lines. So many take the parser 20 ms, or 40 when each is wrong. */
const MAX_TOKENS = 2500;

const DEEPER = new Set(["[", "{"]);
const HIGHER = new Set(["]", "}"]);
/** Each of them, alone on its line or behind others, begins a list or a mapping in the one before it. */
const NESTED_ON_LINE = /^[-?:]$/;

/** Refuses YAML that would keep the parser busy, before it is parsed. @throws AppError invalid that names the line */
export function checkBounds(yaml: string, firstLine: number): void {
  let line = firstLine;
  let count = 0;
  let brackets = 0;
  let onLine = 0;
  for (const token of new Lexer().lex(yaml)) {
    if (++count > MAX_TOKENS) {
      throw problem(`Line ${line}: there are too many values; leave out what isn't about the article.`);
    }
    if (DEEPER.has(token)) brackets++;
    else if (HIGHER.has(token)) brackets = Math.max(0, brackets - 1);
    else if (brackets === 0 && NESTED_ON_LINE.test(token)) onLine++;
    if (brackets + onLine > MAX_DEPTH) {
      throw problem(`Line ${line}: it is nested more than ${MAX_DEPTH} levels deep; write simple values.`);
    }
    const breaks = token.split("\n").length - 1;
    line += breaks;
    if (breaks > 0) onLine = 0;
  }
}
