import {
  type Compound,
  formsOf,
  quoteLexeme,
  type Run,
  type SearchLanguage,
  splitNumber,
  type Term,
  versionNumber,
  type Word,
} from "./tokens.ts";

export interface QueryPart {
  terms: Term[];
  isPhrase: boolean;
  isExcluded: boolean;
}

export interface QueryOptions {
  language: SearchLanguage;
  replacements?: ReadonlyMap<string, readonly string[]>;
}

export interface Reading extends QueryOptions {
  goesOn: boolean;
}

const BEGINS_WITH_DIGIT = /^\p{Nd}/u;

export function wantedOf({ terms, isPhrase }: QueryPart, reading: Reading): Condition[] {
  if (isPhrase) return [[phraseOf(terms, (word) => lexemesOf([tokenOf(word)]))]];
  return terms.map((term) =>
    conditionOf(term, { ...reading, goesOn: reading.goesOn && term === terms.at(-1) }),
  );
}

/** Words typed without a space are excluded as one. */
export function exclusionOf({ terms, isPhrase }: QueryPart, language: SearchLanguage): Condition {
  if (isPhrase) return [phraseOf(terms, (word) => lexemesOf([tokenOf(word)]))];
  const reading = { language, goesOn: false };
  const [first, ...others] = terms;
  if (first !== undefined && others.length === 0) return conditionOf(first, reading);
  return [phraseOf(terms, (word) => wordLexemes(word, reading))];
}

function conditionOf(term: Term, reading: Reading): Condition {
  if ("run" in term) return [runSteps(term, reading.goesOn)];
  const [word, ...others] = term.words;
  return word !== undefined && others.length === 0
    ? wordCondition(word, reading)
    : [...waysToWrite(term, reading), compoundSteps(term, reading)];
}

export function wordCondition(word: Word, reading: Reading): Condition {
  // A beginning of one character would find nearly everything: who types "c" means C.
  const goesOn = reading.goesOn && /../su.test(word.text);
  const steps = [{ lexemes: wordLexemes(word, { ...reading, goesOn }), offset: 0 }];
  const parts = reading.replacements?.has(word.text) === true ? undefined : splitNumber(word.text);
  return parts === undefined || word.dot !== "" ? [steps] : [steps, stepsOf(parts, reading.goesOn)];
}

function stepsOf(words: readonly string[], goesOn: boolean): Step[] {
  return words.map((word, offset) => ({
    lexemes: lexemesOf([word], goesOn && offset === words.length - 1 && word.length > 1),
    offset,
  }));
}

function compoundSteps({ words }: Compound, reading: Reading): Step[] {
  return words.map((word, offset) => ({
    lexemes: wordLexemes(word, { ...reading, goesOn: reading.goesOn && offset === words.length - 1 }),
    offset,
  }));
}

/** Other spellings of a compound: as one word, "go1.22" as "Go 1.22" and "v1.29" as "1.29". */
export function waysToWrite(compound: Compound, reading: Reading): Step[][] {
  const { words, joined } = compound;
  const [first, second] = words;
  if (first === undefined || second === undefined) return [];
  const ways: Step[][] = [];
  if (joined !== undefined) ways.push(joinedSteps(joined, reading));
  if (first.dot !== "" || reading.replacements?.has(first.text) === true) return ways;
  const version = BEGINS_WITH_DIGIT.test(second.text) ? versionNumber(first.text) : undefined;
  const parts = version === undefined ? splitNumber(first.text, { minLetters: 1 }) : [version];
  if (parts === undefined) return ways;
  if (version !== undefined && joined !== undefined) ways.push(joinedSteps(joined.slice(1), reading));
  const others = compoundSteps(compound, reading).slice(1);
  const shift = parts.length - 1;
  ways.push([...stepsOf(parts, false), ...others.map((step) => ({ ...step, offset: step.offset + shift }))]);
  return ways;
}

function joinedSteps(joined: string, { language, goesOn }: Reading): Step[] {
  return [{ lexemes: lexemesOf(formsOf(joined, language), goesOn), offset: 0 }];
}

export function wordLexemes(word: Word, { language, replacements, goesOn }: Reading): string[] {
  const instead = isPlain(word) ? (replacements?.get(word.text) ?? []) : [];
  if (instead.length > 0) return lexemesOf(instead.flatMap((other) => formsOf(other, language)));
  // Nothing begins with "c++" that does not have it too.
  return lexemesOf(formsOf(tokenOf(word), language), goesOn && word.sign === "");
}

/** A typed ".net" is not any net. */
function tokenOf({ text, dot }: Word): string {
  return dot === "leading" ? `.${text}` : text;
}

export function isPlain({ sign, dot }: Word): boolean {
  return sign === "" && dot !== "leading";
}

export function phraseOf(terms: readonly Term[], lexemesOfWord: (word: Word) => string[]): Step[] {
  const steps: Step[] = [];
  let position = 0;
  for (const term of terms) {
    const found =
      "run" in term
        ? runSteps(term, false)
        : term.words.map((word, offset) => ({ lexemes: lexemesOfWord(word), offset }));
    for (const { lexemes, offset } of found) steps.push({ lexemes, offset: position + offset });
    position += "run" in term ? term.run.length : term.words.length;
  }
  return steps;
}

/** Pairs of characters; a single one is a beginning. */
function runSteps({ run }: Run, goesOn: boolean): Step[] {
  if (run.length === 1) return [{ lexemes: lexemesOf(run, true).slice(1), offset: 0 }];
  return run.slice(1).map((character, offset) => ({
    lexemes: lexemesOf([`${run[offset]}${character}`], goesOn && offset === run.length - 2),
    offset,
  }));
}

/** One place of a phrase: any of these lexemes, so far behind the first place. */
export interface Step {
  lexemes: readonly string[];
  offset: number;
}

/** Any of these phrases. Neither is empty. */
export type Condition = readonly (readonly Step[])[];

/** `goesOn` also finds longer words. */
function lexemesOf(tokens: readonly string[], goesOn = false): string[] {
  const [first = "", ...others] = tokens.map((token) => quoteLexeme(token));
  return [first, ...(goesOn ? [`${first}:*`] : []), ...others];
}

export function writeExact(condition: Condition): string {
  return join(
    condition.map((steps) => writePhrase(steps)),
    " | ",
  );
}

/** All words of a phrase, in any place. */
export function writeLoose(condition: Condition): string {
  const alternatives = condition.map((steps) =>
    join([...new Set(steps.map(({ lexemes }) => join(lexemes, " | ")))], " & "),
  );
  return join(alternatives, " | ");
}

/** The part of an exclusion that the index answers: without phrases. Undefined for none. */
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

function join(operands: readonly string[], operator: string): string {
  return operands.length === 1 ? operands.join("") : `(${operands.join(operator)})`;
}
