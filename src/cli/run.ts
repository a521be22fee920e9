import { existsSync } from "node:fs";
import { type Command, CommanderError } from "commander";
import { asTyped, readConfig } from "../config.ts";
import { createProgram } from "./program.ts";

const OK = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

export async function run(argv: string[]): Promise<number> {
  const isJson = argv.includes("--json");
  const program = await createProgram(argv);
  try {
    loadDotEnv();
    await program.parseAsync(argv, { from: "user" });
    return Number(process.exitCode ?? OK);
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      const { toSentence } = await import("./failures.ts");
      complain(withFullStop(toSentence(error)), isJson);
      if (isDebugging()) process.stderr.write(`${(error as Error).stack}\n`);
      return FAILED;
    }
    if (error.exitCode === 0) return OK;
    // The help is already printed.
    if (error.code !== "commander.help") complain(usageSentence(error, namedCommand(program, argv)), isJson);
    return WRONG_USAGE;
  }
}

/** The environment wins. */
function loadDotEnv(): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
}

function complain(sentence: string, isJson: boolean): void {
  process.stderr.write(isJson ? `${JSON.stringify({ error: sentence })}\n` : `inkstone: ${sentence}\n`);
}

function namedCommand(program: Command, argv: string[]): string {
  let command = program;
  const words = [program.name()];
  for (const word of argv) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    command = next;
    words.push(word);
  }
  return words.join(" ");
}

function usageSentence({ message }: CommanderError, command: string): string {
  const sentence = message.replace(/^error: /, "").replaceAll(/\s*\n\s*/g, " ");
  return `${withFullStop(sentence.charAt(0).toUpperCase() + sentence.slice(1))} ${asTyped(`See \`${command} --help\`.`, [])}`;
}

function withFullStop(sentence: string): string {
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`;
}

function isDebugging(): boolean {
  try {
    return ["debug", "trace"].includes(readConfig().logLevel);
  } catch {
    return false;
  }
}
