import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { shuffle } from "../corpus/random.ts";
import { closing } from "../kit.ts";
import { commonWord, firstPage } from "../lines/fresh-search.ts";
import { cpuMs, type Line } from "../lines/line.ts";
import { keptList } from "../lines/pages.ts";
import { memoryOf, workersOf } from "../measure/processes.ts";
import { VoidRun } from "../measure/wrk.ts";
import { attempt, type Finding, found, times } from "./finding.ts";
import { compare, meterOf, type Rig, type Settings } from "./rig.ts";

/** Lists and searches in equal parts. */
export const freshMix: Line = {
  name: "Fresh mix",
  isFresh: true,
  async requests(site) {
    const all = await Promise.all([firstPage.requests(site), commonWord.requests(site)]);
    const most = Math.min(...all.map(({ paths }) => paths.length));
    return {
      paths: shuffle(
        site.corpus.random,
        all.flatMap(({ paths }) => paths.slice(0, most)),
      ),
    };
  },
};

const LINES = [freshMix, keptList];
const WORKERS = { WORKERS: "2" };

/** The processor time of a request, and the memory after them. */
export function measureWorkers(rig: Rig): Promise<Finding[]> {
  return closing(async (later) => {
    const [one, two] = [await rig.serve(later), await rig.serve(later, WORKERS)];
    const findings: Finding[] = [];
    for (const line of LINES) {
      const name = `${line.name}, CPU of a request: two workers beside one process`;
      const cost = async () => {
        const [now, beside] = (await compare(rig, line, [two, one])).map(cpuMs) as [number, number];
        return times(name, { now, beside, unit: "ms", atMost: 1.05 });
      };
      findings.push(...(await attempt(name, cost)));
    }
    return [
      ...findings,
      found("Memory (PSS) after the load: parent", { value: memoryOf(two.pid), unit: "MiB", atMost: 45 }),
      found("Memory (PSS) after the load: the larger worker", {
        value: workersOf(two.pid)[0]?.memory ?? NaN,
        unit: "MiB",
        atMost: 90,
      }),
    ];
  });
}

const LEAST_PROCESSORS = 8;
/** The share of four cores that four workers must have used, or else the load generator was the limit. */
const BUSY = 0.9;

/** How many times the requests four workers answer. */
export async function measureThroughput(rig: Rig): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const line of LINES) {
    const name = `${line.name}, requests a second: four workers beside one process`;
    const measure = () =>
      closing(async (later) => {
        const processors = availableParallelism();
        if (processors < LEAST_PROCESSORS)
          throw new VoidRun(`needs ${LEAST_PROCESSORS} processors, this computer has ${processors}`);
        const servers = [await rig.serve(later, { WORKERS: "4" }), await rig.serve(later)];
        const [four, one] = await compare(rig, line, servers);
        if (four.busy < 4 * BUSY) throw new VoidRun(`the workers used only ${four.busy.toFixed(1)} cores`);
        const atLeast = line === keptList ? 3.2 : 3;
        return times(name, { now: four.perSecond, beside: one.perSecond, unit: "a second", atLeast });
      });
    findings.push(...(await attempt(name, measure)));
  }
  return findings;
}

/** After its start, a server and its database still end what the start began. */
const REST_MS = 10_000;

/** Of servers one after the other on the same databases, each alone. */
export async function measureIdling(rig: Rig): Promise<Finding[]> {
  const { idleSeconds } = rig.effort;
  const idle = (settings: Settings) =>
    closing(async (later) => {
      const meter = meterOf(await rig.serve(later, settings), [rig.primary, ...rig.standbys]);
      await sleep(REST_MS);
      const before = meter();
      await sleep(idleSeconds * 1_000);
      const after = meter();
      return ((after.program + after.database - before.program - before.database) / idleSeconds) * 100;
    });
  const replicas = { DATABASE_REPLICA_URLS: rig.replicaUrls };
  const limit = { beside: await idle({}), unit: "% of a core", atMost: 1.5 };
  return [
    times("Idle CPU: two workers beside one process", { now: await idle(WORKERS), ...limit }),
    times("Idle CPU: with two replicas beside without", { now: await idle(replicas), ...limit }),
  ];
}
