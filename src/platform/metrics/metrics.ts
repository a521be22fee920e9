import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { VERSION } from "../config.ts";

interface Pool {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
  options: { max: number };
}

interface Reads {
  server: string;
  loads: number;
  usable?: boolean;
  lagSeconds?: number;
}

export interface Queue {
  name: string;
  due: number;
  oldestSeconds: number;
}

/** The buckets reach from a cached answer to the longest wait in a queue. */
const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const MAIL_RESULTS = ["sent", "postponed", "failed"] as const;
type MailResult = (typeof MAIL_RESULTS)[number];

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** The metrics of one process, which others may be added to. */
export type MetricValues = object[];

export function createMetrics() {
  const registry = new Registry();
  let askForOthers: (() => Promise<MetricValues[]>) | undefined;
  const registers = [registry];
  const { requests, attempts, mails, unexpected, misspelt, store } = createCounters(registers);
  const durations = new Histogram({
    name: "inkstone_http_request_duration_seconds",
    help: "From a request's head to the end of its response.",
    labelNames: ["operation"],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const gauges = createGauges(registers);

  return {
    /** The operation is never a path, of which clients can make up any number. */
    noteRequest(answered: { operation: string; status: number; seconds: number }): void {
      const { operation, status, seconds } = answered;
      requests.inc({ operation, status });
      durations.observe({ operation }, seconds);
    },
    noteMail: (result: MailResult) => mails.inc({ result }),
    noteDelivery: (result: "delivered" | "failed") => attempts.inc({ result }),
    noteMisspelt: (labels: { operation: string; parameter: string }) => misspelt.inc(labels),
    noteUnexpectedError: () => unexpected.inc(),
    noteFileStoreError: () => store.inc(),
    watchPool: gauges.watchPool,
    watchDisk: gauges.watchDisk,
    watchBackups: (ageSeconds: () => number | undefined) => watchBackups(registers, ageSeconds),
    watchReplicas: (read: () => readonly Reads[]) => watchReplicas(registers, read),
    /** Must be called once. */
    watchProcess(role = "all"): void {
      gauges.processes.set({ role }, 1);
      // The default of 10 ms keeps an idle process busy for 1 % of the time.
      collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
    },
    /** `text` adds up the values of this process and others. */
    addOthers: (ask: () => Promise<MetricValues[]>) => void (askForOthers = ask),
    values(): Promise<MetricValues> {
      gauges.read(undefined);
      return registry.getMetricsAsJSON();
    },
    async text(queues: readonly Queue[] | undefined): Promise<string> {
      const others = await askForOthers?.();
      gauges.read(queues);
      if (others === undefined) return registry.metrics();
      return AggregatorRegistry.aggregate([await registry.getMetricsAsJSON(), ...others]).metrics();
    },
  };
}

function createCounters(registers: Registry[]) {
  function counter(name: string, help: string, labelNames: string[] = []) {
    return new Counter({ name, help, labelNames, registers });
  }
  const requests = counter(
    "inkstone_http_requests_total",
    "Requests with a response, by operation and status.",
    ["operation", "status"],
  );
  const attempts = counter(
    "inkstone_webhook_attempts_total",
    "Attempts of this process to deliver a webhook, by what came of them.",
    ["result"],
  );
  const mails = counter(
    "inkstone_mails_total",
    "Attempts of this process to send an email, by what came of them: a postponed one is sent again later.",
    ["result"],
  );
  const unexpected = counter(
    "inkstone_unexpected_errors_total",
    "Unexpected errors: each is a bug of the program and in the log.",
  );
  const misspelt = counter(
    "inkstone_misspelt_parameters_total",
    "Unknown query parameters that are near a known one, by that one; each name counts once.",
    ["operation", "parameter"],
  );
  const store = counter(
    "inkstone_file_store_errors_total",
    "Operations of this process that the S3 store didn't do.",
  );
  // Counts from 0 on, so that the first attempt shows as an increase.
  for (const result of ["delivered", "failed"]) attempts.inc({ result }, 0);
  for (const result of MAIL_RESULTS) mails.inc({ result }, 0);
  return { requests, attempts, mails, unexpected, misspelt, store };
}

function watchReplicas(registers: Registry[], read: () => readonly Reads[]): void {
  const gauge = (figure: "usable" | "lagSeconds", name: string, help: string, aggregator: "min" | "max") =>
    new Gauge({
      name: `inkstone_replica_${name}`,
      help,
      aggregator,
      labelNames: ["replica"],
      registers,
      collect() {
        for (const { server: replica, [figure]: value } of read())
          if (value !== undefined) this.set({ replica }, Number(value));
      },
    });
  gauge("usable", "usable", "1 if the replica answers when it is asked, else 0.", "min");
  const help = "How long ago the primary was further than the replica, at most; 0 if it was not.";
  gauge("lagSeconds", "lag_seconds", help, "max");
  // oxlint-disable-next-line no-new
  new Counter({
    name: "inkstone_replica_reads_total",
    help: "Loads of what strangers read, by the server that they began on.",
    labelNames: ["server"],
    registers,
    collect() {
      this.reset();
      for (const { server, loads } of read()) this.inc({ server }, loads);
    },
  });
}

/** The gauge has no value until there is a backup. */
function watchBackups(registers: Registry[], ageSeconds: () => number | undefined): void {
  // oxlint-disable-next-line no-new
  new Gauge({
    name: "inkstone_backup_age_seconds",
    help: "Age of the newest nightly backup.",
    aggregator: "first",
    registers,
    collect() {
      const seconds = ageSeconds();
      if (seconds === undefined) this.remove();
      else this.set(seconds);
    },
  });
}

export type Metrics = ReturnType<typeof createMetrics>;

type Aggregator = "sum" | "first";

function createGauges(registers: Registry[]) {
  const gauge = (name: string, help: string, labelNames: string[] = [], aggregator: Aggregator = "sum") =>
    new Gauge({ name: `inkstone_${name}`, help, labelNames, aggregator, registers });
  // Values that all processes share are those of the one that is asked.
  const shared = (name: string, help: string, labelNames?: string[]) =>
    gauge(name, help, labelNames, "first");
  shared("build_info", "The version of the program; always 1.", ["version"]).set({ version: VERSION }, 1);
  const processes = gauge("processes", "Processes of this server, by role.", ["role"]);
  const connections = gauge("database_connections", "Connections of this process, by pool and use.", [
    "pool",
    "state",
  ]);
  const room = gauge("database_connections_max", "Connections that a pool may open.", ["pool"]);
  const waiting = gauge("database_waiting", "Requests and jobs of this process that wait for a connection.", [
    "pool",
  ]);
  const answers = shared("database_up", "Whether the database reported its queues in time.");
  const due = shared("queue_due", "Due items that are not done yet, over all processes.", ["queue"]);
  const oldest = shared("queue_oldest_due_seconds", "Age of the oldest due item.", ["queue"]);
  const pools = new Map<string, Pool>();
  const readings: (() => void)[] = [];

  return {
    processes,
    watchPool: (name: string, pool: Pool) => void pools.set(name, pool),
    watchDisk(disk: { hasRoom: boolean; freeBytes: number | undefined }): void {
      const free = shared("disk_free_bytes", "Free space on the disk of the embedded database.");
      const writable = shared("disk_writable", "1 if writes are accepted, else 0.");
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
