import type { Command } from "commander";
import { type Config, readConfig } from "../config.ts";
import { checkDatabase, type DatabaseOptions } from "./doctor-database.ts";
import { checkProcesses } from "./doctor-process.ts";
import type { OnCheck } from "./doctor-verify.ts";
import { toSentence } from "./failures.ts";
import type { Finding } from "./finding.ts";
import { type JsonOption, print } from "./output.ts";
import { startProgress, step } from "./progress.ts";

export function addDoctor(program: Command): void {
  program
    .command("doctor")
    .description("check this installation and say how to repair what is wrong")
    .option("--verify", "also check all data for consistency, which takes longer the more there is")
    .option(
      "--json",
      'print an array of {"check", "result", "message"}, with "faults" where --verify finds any',
    )
    .addHelpText(
      "after",
      "\nExamples:\n  inkstone doctor\n  inkstone doctor --verify\n\nExit code 1 when a check fails; warnings alone are 0.",
    )
    .action(async ({ json, verify = false }: JsonOption & { verify?: boolean }) => {
      const progress = startProgress({ json: json ?? false });
      progress.show(step("Checking"));
      const onCheck: OnCheck = (check, { number, of }) =>
        progress.show(step(`Checking ${number} of ${of}: ${check}`));
      const findings = await examine({ verify, onCheck }).finally(progress.end);
      print(json ? JSON.stringify(findings) : findings.flatMap(toLines).join("\n"));
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
  return [...(await checkProcesses(config)), ...(await checkDatabase(config, options))];
}

function toLines({ check, result, message, faults = [] }: Finding): string[] {
  return [`${result.padEnd(4)}  ${check}: ${message}`, ...faults.map((fault) => `        ${fault}`)];
}
