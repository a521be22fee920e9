import type { Env, MarkdownIt, StateBlock, Token } from "markdown-it";
import { renderStateOf, warn } from "../markdown/state.ts";
import { codeHtml, type Ending, endingsIn, escape, type FoundTag, readTag, TAGS } from "./tags.ts";

const MAX_CODE_LINES = 200;

interface Span {
  startLine: number;
  endLine: number;
  to: number;
  rest: string;
}

export function blockTags(markdownIt: MarkdownIt): void {
  const alt = ["paragraph", "reference", "blockquote", "list", "table"];
  markdownIt.block.ruler.before("fence", "tag", read, { alt });
  matchBoxes(markdownIt);
}

function read(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const from = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  const to = state.eMarks[startLine] ?? 0;
  const tag = readTag(state.src, from, to);
  if (!tag?.isClosed) return false;
  const place: Span = { startLine, endLine, to, rest: state.src.slice(tag.end, to).trim() };
  if (isWithinRaw(state, startLine)) return tag.name === "endraw" && endRaw(state, place);
  const known = TAGS.get(tag.name);
  if (known?.form === "box") return silent || openBox(state, tag, place);
  if (known?.form === "code") {
    return place.rest === "" && readCode(state, tag, { ...place, language: known.language, silent });
  }
  if (known?.form === "raw") return place.rest === "" && openRaw(state, place, silent);
  const isBoxEnd = TAGS.get(tag.name.replace(/^end/, ""))?.form === "box";
  if (isBoxEnd && !silent) {
    state.line = startLine + 1;
    mark(state, "box_close", { ...tag, line: startLine });
    addParagraph(state, place.rest, startLine);
  }
  return isBoxEnd;
}

function openBox(state: StateBlock, tag: FoundTag, { startLine, rest }: Span): boolean {
  const ending = endingsIn(rest).find(({ name }) => name === tag.name);
  state.line = startLine + 1;
  mark(state, "box_open", { ...tag, line: startLine });
  if (ending && ending.to === rest.length) {
    addParagraph(state, rest.slice(0, ending.from), startLine);
    const raw = rest.slice(ending.from);
    mark(state, "box_close", { name: `end${tag.name}`, raw, line: startLine });
  } else addParagraph(state, rest, startLine);
  return true;
}

type Mark = Pick<FoundTag, "name" | "raw"> & { argument?: string; line: number };

function mark(state: StateBlock, type: string, { name, raw, argument, line }: Mark): void {
  const token = state.push(type, "", 0);
  Object.assign(token, { content: raw, map: [line, line + 1], meta: { name, argument } });
}

function addParagraph(state: StateBlock, content: string, line: number): void {
  if (content.trim() === "") return;
  state.push("paragraph_open", "p", 1).map = [line, line + 1];
  const inline = state.push("inline", "", 0);
  Object.assign(inline, { content: content.trim(), map: [line, line + 1], children: [] });
  state.push("paragraph_close", "p", -1);
}

function readCode(
  state: StateBlock,
  { name }: FoundTag,
  { startLine, endLine, language, silent }: Span & { language: string; silent: boolean },
): boolean {
  const last = Math.min(endLine, startLine + 1 + MAX_CODE_LINES);
  for (let line = startLine + 1; line < last; line++) {
    if (!state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent) return false;
    if (!isEnding(state, line, name)) continue;
    if (silent) return true;
    const code = codeHtml(language, state.getLines(startLine + 1, line, state.blkIndent, true));
    const token = state.push("tag_code", "", 0);
    Object.assign(token, { content: `<pre>${code}</pre>\n`, map: [startLine, line + 1] });
    state.line = line + 1;
    return true;
  }
  return false;
}

const ENDING = /^\{%-?[ \t]*end(\w+)[ \t]*-?%\}\s*$/i;

function isEnding(state: StateBlock, line: number, name: string): boolean {
  const from = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  return ENDING.exec(state.src.slice(from, state.eMarks[line]))?.[1]?.toLowerCase() === name;
}

function openRaw(state: StateBlock, { startLine, to }: Span, silent: boolean): boolean {
  const ending = endingsOf(state).find(({ name, from }) => name === "raw" && from >= to);
  if (!ending) return false;
  if (silent) return true;
  let line = startLine;
  while (line < state.lineMax && (state.eMarks[line] ?? 0) < ending.from) line++;
  renderStateOf(state.env).rawRanges.push({ from: startLine, to: line });
  state.line = startLine + 1;
  return true;
}

const endings = new WeakMap<StateBlock, Ending[]>();

function endingsOf(state: StateBlock): Ending[] {
  const found = endings.get(state) ?? endingsIn(state.src);
  endings.set(state, found);
  return found;
}

function isWithinRaw(state: StateBlock, line: number): boolean {
  const last = renderStateOf(state.env).rawRanges.at(-1);
  return last !== undefined && line > last.from && line <= last.to;
}

function endRaw(state: StateBlock, { startLine, rest }: Span): boolean {
  const isEnd = rest === "" && renderStateOf(state.env).rawRanges.at(-1)?.to === startLine;
  if (isEnd) state.line = startLine + 1;
  return isEnd;
}

const TAG = /\{%-?[ \t]*([a-z]\w{0,30})/gi;
const SILENT = /^\s*<(?:pre|script|style|textarea|!--)/i;

/** Warns of tags within HTML, where Markdown reads nothing. */
export function htmlBlocks(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.after("block", "tags_in_html", ({ tokens, env }) => {
    for (const { type, content, map } of tokens) {
      if (type !== "html_block" || SILENT.test(content)) continue;
      for (const [number, text] of content.split("\n").entries()) {
        for (const [, name = ""] of text.matchAll(TAG)) {
          if (!TAGS.has(name.toLowerCase())) continue;
          const line = (map?.[0] ?? 0) + number;
          const problem = "stands in HTML (put an empty line in between)";
          warn(env, { name: name.toLowerCase(), line, problem });
        }
      }
    }
  });
}

/** Matches the beginnings and ends of boxes; unmatched ones become text. */
function matchBoxes(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.after("block", "boxes", ({ tokens, env }) => {
    const levels: Token[][] = [[]];
    for (const token of tokens) {
      const open = levels.at(-1) ?? [];
      if (token.type === "box_open") open.push(token);
      else if (token.type === "box_close") close(env, open, token);
      else if (token.nesting === 1) levels.push([]);
      else if (token.nesting === -1) abandon(env, levels.pop());
    }
    abandon(env, levels[0]);
  });
  const { rules } = markdownIt.renderer;
  rules["box_open"] = rules["box_close"] = (tokens, at) => tokens[at]?.markup ?? "";
  rules["tag_code"] = (tokens, at) => tokens[at]?.content ?? "";
}

function close(env: Env, open: Token[], token: Token): void {
  const name = describe(token).name.replace(/^end/, "");
  const tag = TAGS.get(name);
  const at = open.findLastIndex(({ meta }) => (meta as { name: string }).name === name);
  const [opening, ...unclosed] = at < 0 ? [] : open.splice(at);
  if (!opening || tag?.form !== "box") return becomeText(env, token, "closes nothing");
  abandon(env, unclosed);
  opening.markup = tag.open(escape(describe(opening).argument));
  token.markup = tag.close;
}

function abandon(env: Env, open: Token[] = []): void {
  for (const token of open) becomeText(env, token, `has no {% end${describe(token).name} %}`);
}

function becomeText(env: Env, token: Token, problem: string): void {
  token.markup = `<p>${escape(token.content)}</p>\n`;
  warn(env, { name: describe(token).name, line: token.map?.[0] ?? 0, problem });
}

function describe({ meta }: Token): { name: string; argument: string } {
  const { name, argument = "" } = meta as { name: string; argument?: string };
  return { name, argument };
}
