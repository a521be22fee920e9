import { closing } from "../kit.ts";
import { firstPage } from "../lines/fresh-search.ts";
import { attempt, type Finding, found, times } from "./finding.ts";
import { compare, type Rig } from "./rig.ts";

/** Measures the primary's processor time for an anonymous read, and how long one takes. */
export function measureReplicas(rig: Rig): Promise<Finding[]> {
  return closing(async (later) => {
    const servers = [
      await rig.serve(later, { DATABASE_REPLICA_URLS: rig.replicaUrls }),
      await rig.serve(later),
    ];
    const name = "Fresh list, the primary's CPU: with two replicas beside without";
    return attempt(name, async () => {
      const [now, beside] = (await compare(rig, firstPage, servers)).map(
        ({ cpu }) => cpu.database / 1_000,
      ) as [number, number];
      const [through, direct] = await compare(rig, firstPage, servers, { connections: 1 });
      const from = `${through.p50.toFixed(2)} ms beside ${direct.p50.toFixed(2)}`;
      return [
        times(name, { now, beside, unit: "ms", atMost: 0.1 }),
        found("Fresh list by one client, p50: by a replica more than by the primary", {
          value: through.p50 - direct.p50,
          unit: "ms",
          atMost: 0.3,
          from,
        }),
      ];
    });
  });
}
