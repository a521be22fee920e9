import { existsSync } from "node:fs";
import { CommanderError } from "commander";
import { readConfig } from "../config.ts";
import { toSentence } from "./failures.ts";
import { createProgram } from "./program.ts";

const OK = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs one command and returns the exit code. */
export async function run(argv: string[]): Promise<number> {
  const isJson = argv.includes("--json");
  try {
    loadDotEnv();
    await createProgram().parseAsync(argv, { from: "user" });
    return Number(process.exitCode ?? OK);
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      complain(withFullStop(toSentence(error)), isJson);
      if (isDebugging()) process.stderr.write(`${(error as Error).stack}\n`);
      return FAILED;
    }
    if (error.exitCode === 0) return OK;
    // Help that was shown for want of a command says it all.
    if (error.code !== "commander.help") complain(usageSentence(error), isJson);
    return WRONG_USAGE;
  }
}

/** Settings in a file of the working directory; what the environment says wins. */
function loadDotEnv(): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
}

function complain(sentence: string, isJson: boolean): void {
  process.stderr.write(isJson ? `${JSON.stringify({ error: sentence })}\n` : `inkstone: ${sentence}\n`);
}

function usageSentence({ message }: CommanderError): string {
  const sentence = message.replace(/^error: /, "").replaceAll(/\s*\n\s*/g, " ");
  return `${withFullStop(sentence.charAt(0).toUpperCase() + sentence.slice(1))} See \`inkstone help\`.`;
}

/** Refusals that the API gives too have none. */
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
