import { setTimeout as sleep } from "node:timers/promises";
import type { Standby } from "../../test/standbys.ts";
import { closing, say } from "../kit.ts";
import { clientOf, keepAsking } from "./clients.ts";
import { type Finding, found } from "./finding.ts";
import type { Rig } from "./rig.ts";
import { freshMix } from "./workers.ts";

const READERS = 16;
const SLOWEST_MS = 1_000;
const USED_AGAIN_S = 2;
const EACH_MS = 3_000;

/** Readers while standbys hang, die and are promoted. The standbys are of no use afterwards. */
export function measureFaults(rig: Rig): Promise<Finding[]> {
  return closing(async (later) => {
    const [one, other] = rig.standbys as [Standby, Standby];
    const server = await rig.serve(later, { DATABASE_REPLICA_URLS: rig.replicaUrls });
    const { paths } = await freshMix.requests({ ...rig, baseUrl: server.baseUrl });
    const client = clientOf(server.baseUrl, READERS);
    later(client.close);
    const readers = await keepAsking({ clients: READERS }, (turn) =>
      client.ask(paths[turn % paths.length] as string),
    );
    later(readers.end);
    const waits: number[] = [];
    const backIn = async () => {
      await one.catchUp();
      const startedAt = performance.now();
      await untilUsable(server.baseUrl, 2);
      waits.push((performance.now() - startedAt) / 1_000);
    };
    await untilUsable(server.baseUrl, 2);
    await happen(one, other, backIn);
    const { failures, milliseconds } = await readers.end();
    const among = `${milliseconds.length} reads${failures.length > 0 ? `, such as ${failures[0]}` : ""}`;
    return [
      found("Replica stopped, killed, restarted, promoted under 16 readers: errors", {
        value: failures.length,
        unit: "errors",
        atMost: 0,
        from: among,
      }),
      found("… the slowest read", {
        value: Math.max(...milliseconds) / 1_000,
        unit: "s",
        atMost: SLOWEST_MS / 1_000,
      }),
      found("… used again after it caught up, the longest", {
        value: Math.max(...waits),
        unit: "s",
        atMost: USED_AGAIN_S,
      }),
    ];
  });
}

/** Each fault, with time for it to show. */
async function happen(one: Standby, other: Standby, backIn: () => Promise<void>): Promise<void> {
  const faults: [string, () => unknown][] = [
    ["SIGSTOP", one.stop],
    ["SIGCONT", one.cont],
    ["caught up", backIn],
    ["SIGKILL", one.kill],
    ["start", one.restart],
    ["caught up", backIn],
    ["restart", one.restart],
    ["caught up", backIn],
    ["promotion", other.promote],
  ];
  for (const [name, cause] of faults) {
    say(`A replica: ${name}`);
    await cause();
    await sleep(EACH_MS);
  }
}

const PATIENCE_MS = 60_000;

async function untilUsable(baseUrl: string, count: number): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const text = await (await fetch(`${baseUrl}/metrics`)).text();
    const values = [...text.matchAll(/^inkstone_replica_usable\b.* (\d+)$/gm)].map(([, value]) =>
      Number(value),
    );
    if (values.reduce((sum, value) => sum + value, 0) >= count) return;
    if (performance.now() > deadline) throw new Error(`Fewer than ${count} replicas are usable.`);
    await sleep(50);
  }
}
