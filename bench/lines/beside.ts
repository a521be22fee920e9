import { setTimeout as sleep } from "node:timers/promises";
import type { Pair } from "../beside.ts";
import { closing, say } from "../kit.ts";
import { capture } from "../measure/http.ts";
import { type Imported, prepareCorpus, SEED } from "../measure/corpus-dir.ts";
import { memoryOfTree } from "../measure/processes.ts";
import { OURS, type Program, serve, type Server } from "../measure/program.ts";
import { untilLoaded } from "../measure/start-up.ts";
import { type Pace, takeTurns } from "../measure/turns.ts";
import { type Bench, memoryFor } from "../suite.ts";
import { type Corpus, openCorpus } from "./corpus.ts";
import { type Line, cpuMs } from "./line.ts";

/** Measures this program and another one in turns, each with the same articles. */
export function measureBeside(other: Program, bench: Bench): Promise<Pair[]> {
  const { articles, keep } = bench;
  return closing(async (later) => {
    const words = openCorpus({ articles, seed: SEED });
    const madeAt = Date.now();
    const sites: Beside[] = [];
    for (const program of [OURS, other]) {
      const dataDir = await prepareCorpus({ articles, keep, program, madeAt });
      later(dataDir.leave);
      const { stop, ...server } = await serve(dataDir.path, { program, environment: memoryFor(articles) });
      later(stop);
      await untilLoaded(server);
      // Each has its own sequence, so that both get the same requests.
      const corpus = { ...openCorpus({ articles, seed: SEED }), words: words.words };
      sites.push({ ...server, corpus, imported: dataDir.imported });
    }
    const both = sites as Sites;
    const pairs = keep === undefined ? importPairs(both) : [];
    pairs.push(...(await memoryPairs("Memory (PSS), idle", both, bench)));
    // An older program may not have the commands.
    for (const line of bench.lines.filter(({ needsCommands }) => !needsCommands))
      pairs.push(await measureLineBeside(line, both, bench.effort.pace));
    pairs.push(...(await memoryPairs("Memory (PSS) after all lines", both, bench)));
    return pairs;
  });
}

interface Beside extends Server {
  corpus: Corpus;
  imported: Imported;
}

/** This program's and that of the other one. */
type Sites = [Beside, Beside];

function importPairs([{ imported: now }, { imported: before }]: Sites): Pair[] {
  return [
    { name: "Import of an article", unit: "ms of CPU", now: now.cpu, before: before.cpu },
    { name: "Import, the most", unit: "MiB", now: now.memory, before: before.memory },
  ];
}

async function memoryPairs(name: string, [ours, theirs]: Sites, { parts, effort }: Bench): Promise<Pair[]> {
  if (!parts.includes("memory")) return [];
  await sleep(effort.settleSeconds * 1_000);
  return [{ name, unit: "MiB", now: memoryOfTree(ours.pid), before: memoryOfTree(theirs.pid) }];
}

async function measureLineBeside(line: Line, sites: Sites, pace: Pace): Promise<Pair> {
  say(line.name);
  const entries = [];
  for (const server of sites) {
    const requests = await line.requests(server);
    const { status } = await capture(server.baseUrl, requests.paths[0] as string, requests.headers);
    entries.push({ server, requests, status });
  }
  const { speeds } = await takeTurns(entries, { ...pace, secondsAlone: 0 });
  const [now, before] = speeds.map(cpuMs) as [number, number];
  return { name: line.name, unit: "ms of CPU", now, before };
}
