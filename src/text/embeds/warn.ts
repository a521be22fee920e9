import type { Env } from "markdown-it";
import { surroundingsOf } from "../markdown/surroundings.ts";

interface Fault {
  /** Of the tag, as it is called in the text. */
  name: string;
  /** From 0, in the text that is rendered. */
  line: number;
  /** What is wrong with it, behind its name and line. */
  problem: string;
}

/** Says that a tag is shown as text, and why. */
export function warn(env: Env, { name, line, problem }: Fault): void {
  const { firstLine, warnings } = surroundingsOf(env);
  const number = firstLine + line;
  warnings.push({
    line: number,
    sentence: `Tag {% ${name} %} in line ${number} ${problem}: it is shown as text.`,
  });
}

export function warnUnknown(env: Env, { name, line }: Omit<Fault, "problem">): void {
  const { firstLine, warnings } = surroundingsOf(env);
  const number = firstLine + line;
  const sentence = `Unknown tag {% ${name} %} in line ${number}: it is shown as text.`;
  warnings.push({ line: number, sentence });
}
