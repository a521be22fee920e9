/** How late webhooks are at an endpoint that works, among many that don't. */
import { rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { commandLine, runBench, wholeNumber, say } from "./entry.ts";
import { build } from "./measure/program.ts";
import { newDataDir } from "./measure/start-up.ts";
import { describeRun, round, table, writeReadme } from "./report.ts";
import { type Delays, measureWebhooks, type WebhookDelays } from "./webhooks/suite.ts";

/** The latest that 95 of 100 events may come in, whatever other endpoints do. */
const BOUND_MS = 2_000;

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "60" },
      rate: { type: "string", default: "20" },
      dead: { type: "string", default: "50" },
      write: { type: "boolean", default: false },
    },
  });
  const { seconds, rate, dead } = values;
  const bench = {
    seconds: wholeNumber("--seconds", seconds, { from: 1, to: 3_600 }),
    perSecond: wholeNumber("--rate", rate, { from: 1, to: 200 }),
    dead: wholeNumber("--dead", dead, { from: 1, to: 500 }),
    say,
  };
  const circumstances = describeRun(
    commandLine("bench:webhooks", { "--seconds": seconds, "--rate": rate, "--dead": dead }),
  );
  await build();
  const dataDir = newDataDir();
  try {
    const delays = await measureWebhooks({ ...bench, dataDir });
    const report = `${reportOf(delays, bench.dead)}\n\n${circumstances}`;
    process.stdout.write(`${report}\n`);
    if (values.write) await writeReadme("webhook results", report);
    const { p95, missing } = delays.amongDead;
    if (missing > 0) throw new Error(`${missing} events never came in at the live endpoint.`);
    if (p95 > BOUND_MS) throw new Error(`p95 is ${round(p95)} ms, not ${round(BOUND_MS)} ms at most.`);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function reportOf({ alone, amongDead }: WebhookDelays, dead: number): string {
  return table(
    ["The live endpoint", "events", "missing", "p50 ms", "p95 ms", "slowest ms"],
    [rowOf("alone", alone), rowOf(`among ${dead} dead ones`, amongDead)],
  );
}

function rowOf(name: string, { events, missing, p50, p95, slowest }: Delays): string[] {
  return [name, ...[events, missing, p50, p95, slowest].map(round)];
}

await runBench("bench:webhooks", run);
