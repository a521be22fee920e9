import { parseArgs } from "node:util";
import { resolve } from "node:path";
import { commandLine, runBench, say, wholeNumber } from "./entry.ts";
import { build } from "./measure/program.ts";
import { describeRun, writeReadme } from "./report.ts";
import { faultsOfSearch, writeSearchReport } from "./search/report.ts";
import { measureSearch, type Part, PARTS, type SearchBench } from "./search/suite.ts";

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      small: { type: "string", default: "10000" },
      large: { type: "string", default: "100000" },
      requests: { type: "string", default: "200" },
      fuzz: { type: "string", default: "10000" },
      only: { type: "string", default: PARTS.join(",") },
      keep: { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  const count = (name: "small" | "large" | "requests" | "fuzz", from: number) =>
    wholeNumber(`--${name}`, values[name], { from, to: 9_999_999 });
  const bench: SearchBench = {
    parts: partsNamed(values.only),
    small: count("small", 100),
    large: count("large", 100),
    keep: values.keep === undefined ? undefined : resolve(values.keep),
    requests: count("requests", 10),
    fuzz: count("fuzz", 10),
  };
  if (bench.small >= bench.large) throw new Error("--large must be more articles than --small");
  const circumstances = describeRun(commandLine("bench:search", optionsOf(values)));
  await build();
  const results = await measureSearch(bench);
  const report = `${writeSearchReport(results, bench)}\n\n${circumstances}`;
  process.stdout.write(`${report}\n`);
  if (values.write) await writeReadme("search results", report);
  const faults = faultsOfSearch(results);
  for (const fault of faults) say(fault);
  if (faults.length > 0) process.exitCode = 1;
}

function partsNamed(text: string): Part[] {
  const names = text.split(",");
  const unknown = names.find((name) => !PARTS.some((part) => part === name));
  if (unknown === undefined) return PARTS.filter((part) => names.includes(part));
  throw new Error(`--only must name parts out of ${PARTS.join(",")}, not ${JSON.stringify(unknown)}`);
}

/** Those that change the numbers. */
function optionsOf(values: Record<"small" | "large" | "requests" | "fuzz" | "only", string>) {
  const { small, large, requests, fuzz, only } = values;
  return { "--small": small, "--large": large, "--requests": requests, "--fuzz": fuzz, "--only": only };
}

await runBench("bench:search", run);
