import type { Env, MarkdownIt, Token } from "markdown-it";
import { escape } from "./html.ts";
import { TAGS } from "./tags.ts";
import { warn } from "../markdown/state.ts";

interface Level {
  open: Token[];
  /** Shows at once whether an end has a beginning. */
  counts: Map<string, number>;
}

/** Unmatched ones become text. */
export function matchBoxes(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.after("block", "boxes", ({ tokens, env }) => {
    const levels: Level[] = [newLevel()];
    for (const token of tokens) {
      const level = levels.at(-1) ?? newLevel();
      if (token.type === "box_open") open(level, token);
      else if (token.type === "box_close") close(env, level, token);
      else if (token.nesting === 1) levels.push(newLevel());
      else if (token.nesting === -1) abandon(env, levels.pop()?.open);
    }
    abandon(env, levels[0]?.open);
  });
  const { rules } = markdownIt.renderer;
  rules["box_open"] = rules["box_close"] = (tokens, at) => tokens[at]?.markup ?? "";
  rules["tag_code"] = (tokens, at) => tokens[at]?.content ?? "";
}

function newLevel(): Level {
  return { open: [], counts: new Map() };
}

function open({ open, counts }: Level, token: Token): void {
  const { name } = describe(token);
  open.push(token);
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function close(env: Env, { open, counts }: Level, token: Token): void {
  const name = describe(token).name.replace(/^end/, "");
  if (!counts.get(name)) return becomeText(env, token, "closes nothing");
  for (let opening = open.pop(); opening !== undefined; opening = open.pop()) {
    const found = describe(opening);
    counts.set(found.name, (counts.get(found.name) ?? 0) - 1);
    if (found.name === name) {
      const tag = TAGS.get(name);
      if (tag?.form !== "box") throw new Error(`${name} is a box`);
      opening.markup = tag.open(escape(found.argument));
      token.markup = tag.close;
      return;
    }
    becomeText(env, opening, `has no {% end${found.name} %}`);
  }
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
