import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";
import { VERSION } from "../config.ts";
import { createGauges, type Disk, type Pool, type Queue } from "./gauges.ts";

export interface AnsweredRequest {
  /** Never a path, of which clients can make up any number. */
  operation: string;
  status: number;
  seconds: number;
}

/** The metrics of one process. */
export interface Metrics {
  noteRequest(request: AnsweredRequest): void;
  noteDelivery(result: "delivered" | "failed"): void;
  noteUnexpectedError(): void;
  watchPool(name: string, pool: Pool): void;
  watchDisk(disk: Disk): void;
  /** To be called once. */
  watchProcess(): void;
  text(queues: readonly Queue[] | undefined): Promise<string>;
}

/** From a cached answer to the longest wait in a queue. */
const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

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
  // From the start, so that the first one shows as an increase.
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
    // The default of 10 ms keeps an idle process busy for 1 % of the time.
    watchProcess: () => collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 }),
    text(queues) {
      gauges.read(queues);
      return registry.metrics();
    },
  };
}
