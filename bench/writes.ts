/** How fast articles are written and what it costs, next to the same rows written by bare SQL. */
import { parseArgs } from "node:util";
import { commandLine, runBench, say, wholeNumber } from "./entry.ts";
import { checkProcesses } from "./measure/processes.ts";
import { build } from "./measure/program.ts";
import { describeRun, writeReadme } from "./report.ts";
import { measureLong } from "./writes/long.ts";
import { faultsOfLong, faultsOfWrites, longReport, writeReport } from "./writes/report.ts";
import { measureWrites, type Part, PARTS } from "./writes/suite.ts";

const OPTIONS = {
  seconds: { type: "string", default: "10" },
  connections: { type: "string", default: "16" },
  only: { type: "string", default: PARTS.join(",") },
  minutes: { type: "string" },
  write: { type: "boolean", default: false },
} as const;

async function run(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  checkProcesses();
  const seconds = wholeNumber("--seconds", values.seconds, { from: 1, to: 600 });
  const connections = wholeNumber("--connections", values.connections, { from: 1, to: 64 });
  const parts = partsNamed(values.only);
  const minutes =
    values.minutes === undefined
      ? undefined
      : wholeNumber("--minutes", values.minutes, { from: 1, to: 1_440 });
  const circumstances = describeRun(
    commandLine("bench:writes", {
      "--seconds": values.seconds,
      "--connections": values.connections,
      "--only": values.only,
      "--minutes": values.minutes ?? "",
    }),
  );
  await build();
  const { tables, faults } =
    minutes === undefined
      ? await runParts({ parts, seconds, connections })
      : await runLong({ minutes, connections });
  const report = `${tables}\n\n${circumstances}`;
  process.stdout.write(`${report}\n`);
  if (values.write) await writeReadme(minutes === undefined ? "write results" : "long write results", report);
  for (const fault of faults) say(fault);
  if (faults.length > 0) process.exitCode = 1;
}

async function runParts(bench: Parameters<typeof measureWrites>[0]) {
  const results = await measureWrites(bench);
  return { tables: writeReport(results), faults: faultsOfWrites(results) };
}

async function runLong(bench: Parameters<typeof measureLong>[0]) {
  const results = await measureLong(bench);
  return { tables: longReport(results), faults: faultsOfLong(results) };
}

function partsNamed(text: string): Part[] {
  const names = text.split(",");
  const unknown = names.find((name) => !PARTS.some((part) => part === name));
  if (unknown === undefined) return PARTS.filter((part) => names.includes(part));
  throw new Error(`--only must name parts out of ${PARTS.join(",")}, not ${JSON.stringify(unknown)}`);
}

await runBench("bench:writes", run);
