import type { Command } from "commander";
import { type Config, readConfig } from "../config.ts";
import { checkDatabase, type DatabaseOptions } from "./doctor-database.ts";
import { checkProcess } from "./doctor-process.ts";
import { toSentence } from "./failures.ts";
import type { Finding } from "./finding.ts";
import { type JsonOption, print } from "./output.ts";

export function addDoctor(program: Command): void {
  program
    .command("doctor")
    .description("look for what is wrong with this installation, and say how to mend it")
    .option("--verify", "compare all that is kept twice or counted too, which takes longer the more there is")
    .option("--json", 'print an array of {"check", "result", "message"}')
    .addHelpText(
      "after",
      "\nExamples:\n  inkstone doctor\n  inkstone doctor --verify\n\nExit code 1 when a check fails; warnings alone are 0.",
    )
    .action(async ({ json, verify = false }: JsonOption & { verify?: boolean }) => {
      const findings = await examine({ verify });
      print(json ? JSON.stringify(findings) : findings.map(toLine).join("\n"));
      if (findings.some(({ result }) => result === "fail")) process.exitCode = 1;
    });
}

async function examine(options: DatabaseOptions): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    const message = toSentence(error).replaceAll(/\s*\n\s*/g, " ");
    return [{ check: "configuration", result: "fail", message }];
  }
  return [...(await checkProcess(config)), ...(await checkDatabase(config, options))];
}

function toLine({ check, result, message }: Finding): string {
  return `${result.padEnd(4)}  ${check}: ${message}`;
}
