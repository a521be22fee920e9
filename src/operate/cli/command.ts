import { Argument, type Command, Option } from "commander";
import { asTyped } from "../../platform/config.ts";
import type { Db } from "../../platform/db/connect.ts";
import { printResult } from "./output.ts";

export type Add = (parent: Command) => void;

interface Described {
  text: string;
  /** Set for a required option; an argument in angle brackets is always required. */
  required?: true;
  choices?: readonly string[];
  /** @throws InvalidArgumentError */
  parse?: (text: string) => unknown;
  default?: unknown;
  /** The options that can't be given together with this one. */
  conflicts?: string[];
}

type Parameter = string | Described;

export interface Declaration {
  name: string;
  text: string;
  /** Arguments and options have their flags as keys: `<file>`, `[file]`, `--user <username>`. */
  args?: Record<string, Parameter>;
  options?: Record<string, Parameter>;
  json?: string;
  examples: string | readonly string[];
  note?: string;
}

export const AS_THE_SERVER = "Run it as the user that the server runs as, with its settings.";

export interface Called {
  json: boolean;
  refuse: (sentence: string) => never;
}

export function action(
  { name, text, args = {}, options = {}, json, examples, note }: Declaration,
  run: (input: never, called: Called) => Promise<unknown>,
): Add {
  return (parent) => {
    const command = parent.command(name).description(text);
    const needed: Option[] = [];
    for (const [flags, parameter] of listed(args))
      command.addArgument(extend(new Argument(flags, parameter.text), parameter));
    for (const [flags, { required = false, conflicts = [], ...parameter }] of listed(options)) {
      const option = new Option(flags, parameter.text).conflicts(conflicts);
      command.addOption(extend(option, parameter));
      if (required) needed.push(option);
    }
    if (json !== undefined) command.option("--json", json);
    command.addHelpText("after", helpOf(examples, note));
    command.action(async () => {
      const named = command.registeredArguments.map((one, index) => [
        one.name(),
        command.processedArgs[index],
      ]);
      // Commander would name a missing option before an unknown one, which is often the missing one misspelt.
      for (const option of needed)
        if (command.getOptionValue(option.attributeName()) === undefined)
          command.error(`required option '${option.flags}' not specified`, { exitCode: 2 });
      const { json = false, ...chosen } = command.opts<{ json?: boolean }>();
      const refuse = (sentence: string) => command.error(sentence, { exitCode: 2 });
      await run({ ...Object.fromEntries(named), ...chosen } as never, { json, refuse });
    });
  };
}

interface OnDatabase<Input, Key extends string, Result> extends Omit<Declaration, "json"> {
  /** The printed keys in order; or a description, and all keys are printed. */
  json: string | readonly Key[];
  run: (db: Db, input: Input, called: Called) => Promise<Result>;
  creates?: true;
  failed?: (result: Result) => boolean;
}

interface CommandOf<Input, Key extends string, Result> extends OnDatabase<Input, Key, Result> {
  print: (result: Result, input: Input) => string;
}

export function command<Input, Result extends Record<Key, unknown>, Key extends string = never>(
  declared: CommandOf<Input, Key, Result>,
): Add {
  return onDatabase(declared, "print");
}

interface ListOf<Input, Key extends string, Row> extends OnDatabase<Input, Key, Row[]> {
  line: (row: Row) => string | string[];
  empty: (input: Input) => string;
}

export function list<Input, Row extends Record<Key, unknown>, Key extends string = never>({
  line,
  empty,
  ...declared
}: ListOf<Input, Key, Row>): Add {
  const print = (rows: Row[], input: Input) => rows.flatMap(line).join("\n") || asTyped(empty(input));
  return onDatabase({ ...declared, print }, "print an array of");
}

function onDatabase<Input, Key extends string, Result extends object>(
  { json: keys, run, creates, failed, print, ...declared }: CommandOf<Input, Key, Result>,
  prefix: string,
): Add {
  const json = typeof keys === "string" ? keys : `${prefix} {${keys.map((key) => `"${key}"`).join(", ")}}`;
  return action({ ...declared, json }, async (input: Input, called) => {
    // Lazily, so that `serve` and help start faster.
    const { withDatabase } = await import("./with-database.ts");
    const result = await withDatabase({ ...called, creates }, ({ db }) => run(db, input, called));
    const value = typeof keys === "string" ? result : pick(result, keys);
    printResult(called, value, () => print(result, input));
    if (failed?.(result)) process.exitCode = 1;
  });
}

function pick(value: object, keys: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((row: object) => pick(row, keys));
  return Object.fromEntries(keys.map((key) => [key, (value as Record<string, unknown>)[key]]));
}

export function group(name: string, text: string, commands: readonly Add[]): Add {
  return (parent) => {
    const command = parent.command(name).description(text);
    for (const add of commands) add(command);
  };
}

function listed(parameters: Record<string, Parameter>): [flags: string, parameter: Described][] {
  return Object.entries(parameters).map(([flags, parameter]) => [
    flags,
    typeof parameter === "string" ? { text: parameter } : parameter,
  ]);
}

function extend<Extended extends Argument | Option>(extended: Extended, parameter: Described): Extended {
  if (parameter.choices) extended.choices(parameter.choices);
  if (parameter.parse) extended.argParser(parameter.parse);
  return parameter.default === undefined ? extended : (extended.default(parameter.default) as Extended);
}

function helpOf(examples: string | readonly string[], note: string | undefined): string {
  const title = typeof examples === "string" ? "Example" : "Examples";
  const lines = [examples].flat().map((example) => `\n  ${asTyped(example, [])}`);
  return `\n${title}:${lines.join("")}${note === undefined ? "" : `\n\n${note}`}`;
}
