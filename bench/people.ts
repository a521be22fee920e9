/** Measures reads of people and their talk on a large site, next to a small one. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { commandLine, runBench, say, wholeNumber } from "./entry.ts";
import { build } from "./measure/program.ts";
import { LEAST_USERS } from "./people/shape.ts";
import { measurePeople, type PeopleBench } from "./people/suite.ts";
import { describeRun, writeReadme } from "./report.ts";
import { faultOf, timedTable } from "./search/report.ts";
import { searchHolds } from "./search/verdicts.ts";

/** The bound is that of searches. */
const holds = searchHolds;

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      small: { type: "string", default: "1000" },
      large: { type: "string", default: "100000" },
      requests: { type: "string", default: "200" },
      only: { type: "string", default: "" },
      keep: { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  const { small, large, requests, only } = values;
  const bench: PeopleBench = {
    small: wholeNumber("--small", small, { from: LEAST_USERS, to: 999_999 }),
    large: wholeNumber("--large", large, { from: LEAST_USERS, to: 999_999 }),
    requests: wholeNumber("--requests", requests, { from: 10, to: 99_999 }),
    keep: values.keep === undefined ? undefined : resolve(values.keep),
    only,
  };
  if (bench.small >= bench.large) throw new Error("--large must be more users than --small");
  const circumstances = describeRun(
    commandLine("bench:people", {
      "--small": small,
      "--large": large,
      "--requests": requests,
      "--only": only,
    }),
  );
  await build();
  const timed = await measurePeople(bench);
  const report = `${timedTable("Read", { sizes: bench, timed, judge: holds })}\n\n${circumstances}`;
  process.stdout.write(`${report}\n`);
  if (values.write) await writeReadme("people results", report);
  const faults = timed.filter((row) => !holds(row)).map(faultOf);
  for (const fault of faults) say(fault);
  if (faults.length > 0) process.exitCode = 1;
}

await runBench("bench:people", run);
