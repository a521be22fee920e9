/** Measures the figures of a busy author, by the number of rows of views. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { LEAST_VIEWS } from "./analytics/fill.ts";
import { type Measured, measureAnalytics } from "./analytics/suite.ts";
import { commandLine, runBench, say, wholeNumber } from "./entry.ts";
import { build } from "./measure/program.ts";
import { describeRun, table, writeReadme } from "./report.ts";
import { wordOf } from "./search/verdicts.ts";

/** The limit of p99. */
const LIMIT_MS = 50;

const holds = ({ times }: Measured): boolean => times.p99 <= LIMIT_MS;

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      views: { type: "string", default: "10000000" },
      requests: { type: "string", default: "200" },
      keep: { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  const views = wholeNumber("--views", values.views, { from: LEAST_VIEWS, to: 100_000_000 });
  const requests = wholeNumber("--requests", values.requests, { from: 10, to: 99_999 });
  const keep = values.keep === undefined ? undefined : resolve(values.keep);
  const circumstances = describeRun(
    commandLine("bench:analytics", { "--views": values.views, "--requests": values.requests }),
  );
  await build();
  const measured = await measureAnalytics({ views, requests, keep });
  const rows = measured.map((each) => [
    each.name,
    each.times.p50.toFixed(1),
    each.times.p99.toFixed(1),
    wordOf(holds(each)),
  ]);
  const report = `${table(["Read", "p50 ms", "p99 ms", "Verdict"], rows)}\n\n${circumstances}`;
  process.stdout.write(`${report}\n`);
  if (values.write) await writeReadme("analytics results", report);
  const slow = measured.filter((each) => !holds(each));
  for (const { name, times } of slow)
    say(`${name}: p99 is ${times.p99.toFixed(1)} ms, more than ${LIMIT_MS}.`);
  if (slow.length > 0) process.exitCode = 1;
}

await runBench("bench:analytics", run);
