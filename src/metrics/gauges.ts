import { Gauge, type Registry } from "prom-client";

export interface Pool {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
  options: { max: number };
}

export interface Disk {
  hasRoom: boolean;
  freeBytes: number | undefined;
}

/** A queue in the database. */
export interface Queue {
  name: string;
  due: number;
  /** 0 when nothing is due. */
  oldestSeconds: number;
}

/** Values that are read at each request for metrics. */
export function createGauges(registry: Registry, version: string) {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  gauge("inkstone_build_info", "The version of the program; always 1.", ["version"]).set({ version }, 1);
  const connections = gauge(
    "inkstone_database_connections",
    "Connections of this process, by pool and use.",
    ["pool", "state"],
  );
  const room = gauge("inkstone_database_connections_max", "Connections that a pool may open.", ["pool"]);
  const waiting = gauge("inkstone_database_waiting", "Work of this process that waits for a connection.", [
    "pool",
  ]);
  const answers = gauge("inkstone_database_answers", "Whether the database told in time what waits in it.");
  const due = gauge("inkstone_queue_due", "What is due and not done yet, in the whole site.", ["queue"]);
  const oldest = gauge("inkstone_queue_oldest_due_seconds", "For how long the first of it has been due.", [
    "queue",
  ]);
  const pools = new Map<string, Pool>();
  const readings: (() => void)[] = [];

  return {
    watchPool: (name: string, pool: Pool) => void pools.set(name, pool),
    watchDisk(disk: Disk): void {
      const free = gauge("inkstone_disk_free_bytes", "Free space on the disk of the embedded database.");
      const writable = gauge("inkstone_disk_writable", "Whether that is enough to accept writes.");
      readings.push(() => {
        if (disk.freeBytes !== undefined) free.set(disk.freeBytes);
        writable.set(disk.hasRoom ? 1 : 0);
      });
    },
    read(queues: readonly Queue[] | undefined): void {
      for (const [pool, { totalCount, idleCount, waitingCount, options }] of pools) {
        connections.set({ pool, state: "in_use" }, totalCount - idleCount);
        connections.set({ pool, state: "idle" }, idleCount);
        room.set({ pool }, options.max);
        waiting.set({ pool }, waitingCount);
      }
      for (const take of readings) take();
      answers.set(queues ? 1 : 0);
      // Unknown values are left out: old ones would look current.
      for (const figure of [due, oldest]) figure.reset();
      for (const { name: queue, ...figures } of queues ?? []) {
        due.set({ queue }, figures.due);
        oldest.set({ queue }, figures.oldestSeconds);
      }
    },
  };
}
