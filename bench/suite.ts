import { rm } from "node:fs/promises";
import { describeSite, type Line } from "./lines/site.ts";
import { compare, type Pace } from "./measure/compare.ts";
import { importCorpus } from "./measure/import-rate.ts";
import { memoryOf } from "./measure/memory.ts";
import { serve } from "./measure/program.ts";
import { coldStart, newDataDir, warmStart } from "./measure/start-up.ts";
import { type Measured, round, type Single } from "./report.ts";

const PACE: Pace = { connections: 16, warmUpSeconds: 3, rounds: 2, secondsPerRound: 4 };
const SEED = 1;

export interface Results {
  measured: Measured[];
  singles: Single[];
}

type Say = (text: string) => void;

/** Measures everything on a site of its own, which is gone afterwards. */
export async function measureAll(lines: Line[], articles: number, say: Say): Promise<Results> {
  const dataDir = newDataDir();
  try {
    say("Starting on an empty data directory");
    const cold = await coldStart();
    say(`Importing ${round(articles)} articles`);
    const imported = await importCorpus(dataDir, { articles, seed: SEED });
    say("Starting with them");
    const warm = await warmStart(dataDir);
    const { measured, memory } = await measureServer(dataDir, { lines, articles, say });
    const singles = [
      single("Start on an empty data directory until ready, median of 5", cold, "ms"),
      single(`Start with ${round(articles)} articles until ready, median of 5`, warm, "ms"),
      single("Import, the whole command", imported.articlesPerSecond, "articles/s"),
      single("Memory (RSS) of the import, at most", imported.memory, "MiB"),
      single("Memory (RSS) of the server when ready", memory.idle, "MiB"),
      single("Memory (RSS) of the server after all requests above", memory.used, "MiB"),
    ];
    return { measured, singles };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureServer(
  dataDir: string,
  { lines, articles, say }: { lines: Line[]; articles: number; say: Say },
): Promise<{ measured: Measured[]; memory: { idle: number; used: number } }> {
  const { baseUrl, pid, stop } = await serve(dataDir);
  try {
    const idle = memoryOf(pid);
    const site = describeSite(baseUrl, { articles, seed: SEED });
    const measured: Measured[] = [];
    for (const line of lines) {
      say(line.name);
      const comparison = await compare(baseUrl, await line.requests(site), PACE);
      measured.push({ line, comparison });
    }
    return { measured, memory: { idle, used: memoryOf(pid) } };
  } finally {
    await stop();
  }
}

function single(name: string, value: number, unit: string): Single {
  return { name, result: `${round(value)} ${unit}` };
}
