import { quoteLexeme } from "./lexemes.ts";

/** One place of a phrase: any of these lexemes, so far behind the first place. */
export interface Step {
  lexemes: readonly string[];
  offset: number;
}

/** Any of these phrases, which most often have one step. Never empty, nor is a phrase. */
export type Condition = readonly (readonly Step[])[];

/** Writes tokens as lexemes of a query; `goesOn` also finds what begins with the first of them. */
export function lexemesOf(tokens: readonly string[], goesOn = false): string[] {
  const [first = "", ...others] = tokens.map((token) => quoteLexeme(token));
  return [first, ...(goesOn ? [`${first}:*`] : []), ...others];
}

/** Writes the whole condition as text for `::tsquery`. */
export function writeExact(condition: Condition): string {
  return join(
    condition.map((steps) => writePhrase(steps)),
    " | ",
  );
}

/** Writes what an index answers alone: all words of a phrase, wherever they stand. */
export function writeLoose(condition: Condition): string {
  const alternatives = condition.map((steps) =>
    join([...new Set(steps.map(({ lexemes }) => join(lexemes, " | ")))], " & "),
  );
  return join(alternatives, " | ");
}

/** Writes as much of an exclusion as an index answers alone: phrases are left out. Undefined when nothing is left. */
export function writeLooseExclusion(condition: Condition): string | undefined {
  const words = condition.filter((steps) => steps.length === 1);
  return words.length === 0 ? undefined : `!${writeExact(words)}`;
}

export function allLexemes(condition: Condition): string[] {
  return condition.flatMap((steps) => steps.flatMap(({ lexemes }) => lexemes));
}

function writePhrase(steps: readonly Step[]): string {
  let written = "";
  let previous = 0;
  for (const { lexemes, offset } of steps) {
    const place = join(lexemes, " | ");
    written += written === "" ? place : ` <${offset - previous}> ${place}`;
    previous = offset;
  }
  return steps.length === 1 ? written : `(${written})`;
}

/** In brackets when there are several. */
function join(operands: readonly string[], operator: string): string {
  return operands.length === 1 ? operands.join("") : `(${operands.join(operator)})`;
}
