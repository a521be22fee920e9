import { setTimeout as sleep } from "node:timers/promises";
import type { Pair } from "../beside.ts";
import { closing, say } from "../kit.ts";
import { capture } from "../measure/http.ts";
import { type Imported, prepareCorpus, SEED } from "../measure/corpus-dir.ts";
import { memoryOfTree } from "../measure/processes.ts";
import { OURS, type Program, serve, type Server } from "../measure/program.ts";
import { untilLoaded } from "../measure/start-up.ts";
import { enter, type Pace, takeTurns } from "../measure/turns.ts";
import { type Bench, type Effort, memoryFor } from "../suite.ts";
import { type Corpus, openCorpus } from "./corpus.ts";
import { type Line, cpuMs } from "./line.ts";

/** Measures this program and another one in turns, each with the same articles. */
export function measureBeside(other: Program, bench: Bench): Promise<Pair[]> {
  const { articles, keep, effort, lines, parts } = bench;
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
    const [ours, theirs] = sites as [Beside, Beside];
    const imports = keep === undefined ? importPairs(ours.imported, theirs.imported) : [];
    const idle = parts.includes("memory")
      ? [await memoryPair("Memory (PSS), idle", [ours, theirs], effort)]
      : [];
    const pairs: Pair[] = [];
    for (const line of lines) pairs.push(...(await measureLineBeside(line, [ours, theirs], effort.pace)));
    const used = parts.includes("memory")
      ? [await memoryPair("Memory (PSS) after all lines", [ours, theirs], effort)]
      : [];
    return [...imports, ...idle, ...pairs, ...used];
  });
}

interface Beside extends Server {
  corpus: Corpus;
  imported: Imported;
}

function importPairs(now: Imported, before: Imported): Pair[] {
  return [
    { name: "Import of an article", unit: "ms of CPU", now: now.cpu, before: before.cpu },
    { name: "Import, the most", unit: "MiB", now: now.memory, before: before.memory },
  ];
}

async function memoryPair(
  name: string,
  [ours, theirs]: [Server, Server],
  { settleSeconds }: Effort,
): Promise<Pair> {
  await sleep(settleSeconds * 1_000);
  return { name, unit: "MiB", now: memoryOfTree(ours.pid), before: memoryOfTree(theirs.pid) };
}

async function measureLineBeside(line: Line, sites: [Beside, Beside], pace: Pace): Promise<Pair[]> {
  say(line.name);
  return closing(async (later) => {
    const contestants = [];
    for (const site of sites) {
      const requests = await line.requests(site);
      const { status } = await capture(site.baseUrl, requests.paths[0] as string, requests.headers);
      const contestant = await enter(site, { requests, status });
      later(() => contestant.walk.close());
      contestants.push(contestant);
    }
    const { speeds } = await takeTurns(contestants, { ...pace, secondsAlone: 0 });
    const [now, before] = speeds.map(cpuMs) as [number, number];
    return [{ name: line.name, unit: "ms of CPU", now, before }];
  });
}
