import { type Config, misspeltVariables, readConfig } from "../config.ts";
import { type Finding, ok, warn } from "../health/finding.ts";
import type { OnCheck } from "../health/invariants.ts";
import { action } from "./command.ts";
import { checkDatabase, type DatabaseOptions } from "./doctor-database.ts";
import { checkProcesses } from "./doctor-process.ts";
import { toSentence } from "./failures.ts";
import { printResult, startProgress, step } from "./output.ts";

export const addDoctor = action(
  {
    name: "doctor",
    text: "check this installation and say how to repair what is wrong",
    options: {
      "--verify": "also check all data for consistency, which takes longer the more there is",
    },
    json: 'print an array of {"check", "result", "message"}, with "faults" where --verify finds any',
    examples: ["inkstone doctor", "inkstone doctor --verify"],
    note: "Exit code 1 when a check fails; warnings alone are 0.",
  },
  async ({ verify = false }: { verify?: boolean }, called) => {
    const progress = startProgress(called);
    progress.show(step("Checking"));
    const onCheck: OnCheck = (check, { number, of }) =>
      progress.show(step(`Checking ${number} of ${of}: ${check}`));
    const findings = await examine({ verify, onCheck }).finally(progress.end);
    printResult(called, findings, () => findings.flatMap(toLines).join("\n"));
    if (findings.some(({ result }) => result === "fail")) process.exitCode = 1;
  },
);

async function examine(options: DatabaseOptions): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    const message = toSentence(error).replaceAll(/\s*\n\s*/g, " ");
    return [{ check: "configuration", result: "fail", message }];
  }
  return [checkVariables(), ...(await checkProcesses(config)), ...(await checkDatabase(config, options))];
}

/** Checks the variables of this command and of .env. */
function checkVariables(): Finding {
  const misspelt = misspeltVariables();
  const found = misspelt.length === 0 ? ok("No misspelt setting.") : warn(misspelt.join(" "));
  return { check: "configuration", ...found };
}

function toLines({ check, result, message, faults = [] }: Finding): string[] {
  return [`${result.padEnd(4)}  ${check}: ${message}`, ...faults.map((fault) => `        ${fault}`)];
}
