/** Enough for two jobs, the listener for new jobs, the lock that shows this program, and the pollers. */
const OF_JOBS = 7;
/** Enough for that lock and the set-up of a database. Later a web process writes views by them. */
const OF_UPKEEP = 5;

export type Role = "all" | "web" | "jobs";

export function poolSizes({ role, databasePoolSize: size }: { role: Role; databasePoolSize: number }) {
  if (role === "jobs") return { web: 2, slow: 1, jobs: OF_JOBS };
  return { web: size, slow: Math.ceil(size / 2), jobs: role === "web" ? OF_UPKEEP : OF_JOBS };
}

export interface Processes {
  role: Role;
  workers: number;
  databasePoolSize: number;
  databaseReplicaUrls?: readonly string[];
}

export const hasWorkers = ({ role, workers }: Pick<Processes, "role" | "workers">) =>
  workers > 1 && role !== "jobs";

/** How many processes answer requests on this computer. */
export const webProcesses = (processes: Pick<Processes, "role" | "workers">) =>
  hasWorkers(processes) ? processes.workers : 1;

export function connectionsOf(processes: Processes): number {
  const { role, workers, databasePoolSize, databaseReplicaUrls = [] } = processes;
  const sum = (role: Role) => {
    const { web, slow, jobs } = poolSizes({ role, databasePoolSize });
    const watch = databaseReplicaUrls.length > 0 && role !== "jobs" ? 1 : 0;
    return web + slow + jobs + watch;
  };
  if (!hasWorkers(processes)) return sum(role);
  const background = role === "all" ? sum("jobs") : 0;
  // SIGHUP starts one process more than usual.
  return workers * sum("web") + background + Math.max(sum("web"), background);
}

/** Those of commands and of the engine itself. */
const OTHERS = 8;
const LEAST_EMBEDDED = 60;

export const embeddedConnections = (processes: Processes): number =>
  Math.max(LEAST_EMBEDDED, connectionsOf(processes) + OTHERS);

/** Each costs PostgreSQL a process and memory. */
export const MOST_EMBEDDED = 1_000;
