import { rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { LINES } from "./lines.ts";
import { describeSite, type Line } from "./lines/site.ts";
import { compare, type Pace } from "./measure/compare.ts";
import { importCorpus } from "./measure/import-rate.ts";
import { memoryOf } from "./measure/memory.ts";
import { build, serve, type Serving } from "./measure/program.ts";
import { coldStart, newDataDir, warmStart } from "./measure/start-up.ts";
import { describeRun, type Measured, round, share, type Single, writeReadme, writeReport } from "./report.ts";

const PACE: Pace = { connections: 16, warmUpSeconds: 3, rounds: 2, secondsPerRound: 4 };
const SEED = 1;

/** Progress, away from the results. */
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      articles: { type: "string", default: "10000" },
      only: { type: "string", default: "" },
      write: { type: "boolean", default: false },
    },
  });
  const articles = Number(values.articles);
  if (!/^\d{3,8}$/.test(values.articles))
    throw new Error(`--articles must be a whole number from 100 up, not ${values.articles}`);
  const lines = LINES.filter(({ name }) => name.toLowerCase().includes(values.only.toLowerCase()));
  if (lines.length === 0)
    throw new Error(`--only must be part of a line's name: ${LINES.map(({ name }) => name).join("; ")}`);
  await build();
  const { measured, singles } = await measure(lines, articles);
  const report = `${writeReport(measured, singles)}\n\n${describeRun(commandLine())}`;
  process.stdout.write(`${report}\n`);
  if (values.write) await writeReadme(report);
  for (const fault of faultsOf(measured)) {
    say(fault);
    process.exitCode = 1;
  }
}

async function measure(
  lines: Line[],
  articles: number,
): Promise<{ measured: Measured[]; singles: Single[] }> {
  const dataDir = newDataDir();
  try {
    say("Starting on an empty data directory, five times");
    const cold = await coldStart();
    say(`Importing ${round(articles)} articles`);
    const imported = await importCorpus(dataDir, { articles, seed: SEED });
    say("Starting with them, five times");
    const warm = await warmStart(dataDir);
    const server = await serve(dataDir);
    try {
      const idle = memoryOf(server.pid);
      const measured = await measureLines(server, lines, articles);
      const singles = [
        { name: "Start on an empty data directory, until ready (median of 5)", result: `${round(cold)} ms` },
        {
          name: `Start with ${round(articles)} articles, until ready (median of 5)`,
          result: `${round(warm)} ms`,
        },
        { name: "Import, whole command", result: `${round(imported.articlesPerSecond)} articles/s` },
        { name: "Memory (RSS) of the importing process at most", result: `${round(imported.memory)} MiB` },
        { name: "Memory (RSS) of the server when ready", result: `${round(idle)} MiB` },
        {
          name: "Memory (RSS) of the server after all of the above",
          result: `${round(memoryOf(server.pid))} MiB`,
        },
      ];
      return { measured, singles };
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureLines({ baseUrl }: Serving, lines: Line[], articles: number): Promise<Measured[]> {
  const measured: Measured[] = [];
  const site = describeSite(baseUrl, { articles, seed: SEED });
  for (const line of lines) {
    say(line.name);
    const comparison = await compare(baseUrl, await line.requests(site), PACE);
    measured.push({ line, comparison });
  }
  return measured;
}

function faultsOf(measured: Measured[]): string[] {
  return measured.flatMap(({ line: { name, floor = 0 }, comparison: { ours, bare } }) => {
    const ratio = ours.perSecond / bare.perSecond;
    return ratio < floor
      ? [`${name}: ${share(ratio)} of bare node:http, but the floor is ${share(floor)}.`]
      : [];
  });
}

function commandLine(): string {
  const args = process.argv.slice(2).filter((arg) => arg !== "--write");
  return ["npm run bench", ...(args.length > 0 ? ["--", ...args] : [])].join(" ");
}

try {
  await run();
} catch (error) {
  say(`bench: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
