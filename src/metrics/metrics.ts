import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";
import { VERSION } from "../config.ts";
import { createGauges, type Disk, type Pool, type Queue } from "./gauges.ts";

/** A request that was answered. */
export interface AnsweredRequest {
  /** The name of the operation; never a path, of which there are as many as anybody likes. */
  operation: string;
  status: number;
  seconds: number;
}

/** What one process counts of itself, and how it tells whoever watches it. */
export interface Metrics {
  noteRequest(request: AnsweredRequest): void;
  /** An attempt to deliver a webhook is over. */
  noteDelivery(result: "delivered" | "failed"): void;
  /** Something went wrong that nobody foresaw. */
  noteUnexpectedError(): void;
  watchPool(name: string, pool: Pool): void;
  watchDisk(disk: Disk): void;
  /** Begins to watch the process itself, its memory and its event loop; to be called once. */
  watchProcess(): void;
  /** Everything in Prometheus' text format, with what waits in the database unless that isn't known. */
  text(queues: readonly Queue[] | undefined): Promise<string>;
}

/** From an answer out of memory to the longest wait for a turn. */
const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The type of the text, of version 0.0.4 of the format. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "inkstone_http_requests_total",
    help: "Requests answered, by operation and status.",
    labelNames: ["operation", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "inkstone_http_request_duration_seconds",
    help: "From a request's head to the end of its answer.",
    labelNames: ["operation"],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const attempts = new Counter({
    name: "inkstone_webhook_attempts_total",
    help: "Attempts of this process to deliver a webhook, by what came of them.",
    labelNames: ["result"],
    registers,
  });
  const unexpected = new Counter({
    name: "inkstone_unexpected_errors_total",
    help: "Unexpected errors: each is a bug of the program and in the log.",
    registers,
  });
  // There from the start, so that the first one is seen as an increase.
  for (const result of ["delivered", "failed"]) attempts.inc({ result }, 0);
  const gauges = createGauges(registry, VERSION);

  return {
    noteRequest({ operation, status, seconds }) {
      requests.inc({ operation, status });
      durations.observe({ operation }, seconds);
    },
    noteDelivery: (result) => attempts.inc({ result }),
    noteUnexpectedError: () => unexpected.inc(),
    watchPool: gauges.watchPool,
    watchDisk: gauges.watchDisk,
    // Every 10 ms, as it is by default, keeps an idle process busy for a hundredth of a second each second.
    watchProcess: () => collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 }),
    text(queues) {
      gauges.read(queues);
      return registry.metrics();
    },
  };
}
