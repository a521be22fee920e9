import type { Config } from "../../platform/config.ts";
import type { Databases } from "../../platform/db/connect.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { type Lifecycle, SLOW_TIMEOUT_MS } from "./site-database.ts";
import { namedConnections } from "./with-database.ts";

interface Site extends Lifecycle {
  db: Databases;
  metrics: Metrics;
  /** Ends the connections to the primary. */
  breakAll: () => void;
}

/** Has replicas answer strangers from now on, if there are any. */
export async function openReplicas(
  config: Config,
  { db, metrics, breakAll, log, shutdown }: Site,
): Promise<void> {
  if (config.databaseReplicaUrls.length === 0 || config.role === "jobs") return;
  const { ReplicaSet } = await import("../../platform/db/replicas.ts");
  const replicas = new ReplicaSet(db, {
    urls: config.databaseReplicaUrls,
    primary: namedConnections(config).connection,
    poolSize: config.databasePoolSize,
    searchTimeoutMs: SLOW_TIMEOUT_MS,
    isPreparing: config.preparedStatements === "auto",
    log: (level, line) => log[level](line),
    onAway: breakAll,
  });
  shutdown.defer("database", () => replicas.close());
  metrics.watchReplicas(() => replicas.figures());
  Object.assign(db, { replicas, shared: replicas.shared } satisfies Partial<Databases>);
}
