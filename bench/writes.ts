/** How fast articles are written, next to the same rows written by bare SQL. */
import { rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { commandLine, runBench, say, wholeNumber } from "./entry.ts";
import { build, serve } from "./measure/program.ts";
import { newDataDir } from "./measure/start-up.ts";
import { describeRun, round, share, table, writeReadme } from "./report.ts";
import { measureWrites, type Written } from "./writes/suite.ts";

/** The least share of bare SQL's rate that the transaction itself should have. */
const FLOOR = 0.5;

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "10" },
      connections: { type: "string", default: "16" },
      write: { type: "boolean", default: false },
    },
  });
  const seconds = wholeNumber("--seconds", values.seconds, { from: 1, to: 600 });
  const connections = wholeNumber("--connections", values.connections, { from: 1, to: 64 });
  const circumstances = describeRun(
    commandLine("bench:writes", { "--seconds": values.seconds, "--connections": values.connections }),
  );
  await build();
  const dataDir = newDataDir();
  try {
    const { baseUrl, stop } = await serve(dataDir);
    try {
      const written = await measureWrites({ baseUrl, dataDir, seconds, connections, say });
      const report = `${writeReport(written)}\n\n${circumstances}`;
      process.stdout.write(`${report}\n`);
      if (values.write) await writeReadme("write results", report);
      const ratio = written.transaction.perSecond / written.bare.perSecond;
      if (ratio < FLOOR)
        throw new Error(`The transaction has ${share(ratio)} of bare SQL's rate, not ${share(FLOOR)}.`);
    } finally {
      await stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function writeReport({ http, transaction, bare, updates, own, renderMilliseconds }: Written): string {
  const rows = [
    ["Create an article over HTTP", http],
    ["The same without HTTP and rendering: the transaction", transaction],
    ["The same rows by bare SQL", bare],
    ["Update an article over HTTP", updates],
    ["me/all?per_page=1000 over HTTP", own],
  ] as const;
  const head = ["Write", "per second", "p50 ms", "p99 ms", "of bare SQL"];
  const compared = new Set<object>([http, transaction, bare]);
  return [
    table(
      head,
      rows.map(([name, rate]) => [
        name,
        rate.perSecond < 10 ? rate.perSecond.toFixed(1) : round(rate.perSecond),
        rate.p50.toFixed(1),
        rate.p99.toFixed(1),
        compared.has(rate) ? share(rate.perSecond / bare.perSecond) : "",
      ]),
    ),
    "",
    `Rendering an article takes ${renderMilliseconds.toFixed(1)} ms.`,
  ].join("\n");
}

await runBench("bench:writes", run);
