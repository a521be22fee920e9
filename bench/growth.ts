/** Measures what workers, replicas, a pooler, a cache in front and upgrades cost, beside one process on one database. */
import { measureFaults } from "./growth/faults.ts";
import { type Finding, faultsOf, findingsTable } from "./growth/finding.ts";
import { measureFreshness } from "./growth/freshness.ts";
import { measureReplicas } from "./growth/replicas.ts";
import { measureNginx, measurePooler, measureStore } from "./growth/fronts.ts";
import { FULL, openRig, QUICK, type Rig } from "./growth/rig.ts";
import { measureMigration, measureUpgrades } from "./growth/upgrades.ts";
import { measureIdling, measureThroughput, measureWorkers } from "./growth/workers.ts";
import { closing, FLAG, partsNamed, runBench, say, text, wholeNumber } from "./kit.ts";
import { checkProcesses } from "./measure/processes.ts";
import { hasWrk } from "./measure/wrk.ts";

const MEASURES: Record<string, (rig: Rig) => Promise<Finding[]>> = {
  workers: measureWorkers,
  throughput: measureThroughput,
  idle: measureIdling,
  replicas: measureReplicas,
  freshness: measureFreshness,
  pooler: measurePooler,
  nginx: measureNginx,
  pictures: measureStore,
  upgrades: measureUpgrades,
  migration: measureMigration,
  // The last one of the replicas', which are of no use afterwards.
  faults: measureFaults,
};
const PARTS = Object.keys(MEASURES);

await runBench("bench:growth", {
  options: { articles: text("10000"), only: text(PARTS.join(",")), quick: FLAG },
  section: ({ quick }) => (quick ? undefined : "growth results"),
  async measure({ articles, only, quick }) {
    checkProcesses();
    if (!hasWrk()) throw new Error("Install wrk: it makes the load.");
    const size = wholeNumber("--articles", articles, 100, 9_999_999);
    const parts = partsNamed(only, PARTS);
    const findings = await closing(async (later) => {
      const rig = await openRig(later, quick ? QUICK : FULL, size);
      const all: Finding[] = [];
      for (const part of parts) {
        say(`Measuring ${part}`);
        all.push(...((await MEASURES[part]?.(rig)) ?? []));
      }
      return all;
    });
    return { tables: [findingsTable(findings)], faults: quick ? [] : faultsOf(findings) };
  },
});
