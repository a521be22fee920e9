import { parseArgs, type ParseArgsConfig } from "node:util";
import { build } from "./measure/program.ts";
import { describeRun, type Section, writeReadme } from "./report.ts";

/** Progress goes to stderr, so that stdout holds the results and nothing else. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** The results of a run: Markdown, and one sentence for each limit that it misses. */
export interface Report {
  tables: readonly string[];
  faults: readonly string[];
}

type Options = NonNullable<ParseArgsConfig["options"]>;
type Values<Given extends Options> = ReturnType<typeof parseArgs<{ options: Given }>>["values"];

interface Bench<Given extends Options> {
  options: Given;
  measure(values: Values<Given>, positionals: string[]): Promise<Report>;
  takesFile?: boolean;
  /** Where `--write` puts the results; none for results that no document has. */
  section(values: Values<Given>): Section | undefined;
  /** The circumstances, where they aren't those of the computer. */
  describe?(command: string): string;
}

/** Options that change no figure. */
const SILENT = new Set(["write", "keep", "describe", "verbose"]);

/** An option with a value. */
export function text<Default extends string>(value: Default) {
  return { type: "string", default: value } as const;
}

export const TEXT = { type: "string" } as const;
export const FLAG = { type: "boolean", default: false } as const;

/** Runs a bench; its failures and missed limits end it with a sentence each and exit code 1. */
export async function runBench<Given extends Options>(name: string, bench: Bench<Given>): Promise<void> {
  // Ctrl-C reaches the processes of the bench too: they end, the measurement fails, and everything is cleared away.
  process.once("SIGINT", () => say("Stopping"));
  try {
    const options = { write: FLAG, ...bench.options };
    const { values, positionals, tokens } = parseArgs({
      options,
      allowPositionals: bench.takesFile === true,
      tokens: true,
    });
    const given = tokens.flatMap((token) =>
      token.kind === "option" && !SILENT.has(token.name) ? [token.rawName, ...quoted(token.value)] : [],
    );
    const command = [`npm run ${name}`, ...(given.length > 0 ? ["--", ...given] : [])].join(" ");
    // The load average of before.
    const circumstances = bench.describe?.(command) ?? describeRun(command);
    await build();
    const { tables, faults } = await bench.measure(values, positionals);
    const report = [...tables, circumstances].join("\n\n");
    process.stdout.write(`${report}\n`);
    const section = bench.section(values);
    if ("write" in values && values.write === true && section !== undefined)
      await writeReadme(section, report);
    for (const fault of faults) say(fault);
    if (faults.length > 0) process.exitCode = 1;
  } catch (error) {
    say(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

function quoted(value: string | undefined): string[] {
  if (value === undefined) return [];
  return [/^[\w.,-]*$/.test(value) ? value : JSON.stringify(value)];
}

/** Reads a whole number of the command line; the error names the option. */
export function wholeNumber(name: string, given: string, from: number, to: number): number {
  const number = Number(given);
  if (/^\d{1,10}$/.test(given) && number >= from && number <= to) return number;
  throw new Error(`${name} must be a whole number from ${from} to ${to}, not ${JSON.stringify(given)}`);
}

/** The parts that `--only` names, in their own order. */
export function partsNamed<Part extends string>(given: string, parts: readonly Part[]): Part[] {
  const names = given.split(",");
  const unknown = names.find((name) => !parts.some((part) => part === name));
  if (unknown === undefined) return parts.filter((part) => names.includes(part));
  throw new Error(`--only must name parts out of ${parts.join(",")}, not ${JSON.stringify(unknown)}`);
}

/** Those whose name holds the text of `--only`. */
export function named<Named extends { name: string }>(given: string, all: readonly Named[]): Named[] {
  const found = all.filter(({ name }) => name.toLowerCase().includes(given.toLowerCase()));
  if (found.length > 0) return found;
  throw new Error(`--only must be part of one of these names: ${all.map(({ name }) => name).join("; ")}`);
}

/** Takes what closes something that was opened. */
export type Later = (close: () => unknown) => void;

/** Does some work, and afterwards closes what it has opened, the last first, even if it fails. */
export async function closing<Result>(work: (later: Later) => Promise<Result>): Promise<Result> {
  const open: (() => unknown)[] = [];
  try {
    return await work((close) => void open.push(close));
  } finally {
    for (const close of open.toReversed()) await close();
  }
}
