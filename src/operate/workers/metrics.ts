import type { MetricValues } from "../../platform/metrics/metrics.ts";
import type { Channel, Message } from "./messages.ts";

interface Question extends Message {
  kind: "metrics?";
}

interface Answer extends Message {
  kind: "metrics";
  all: MetricValues[];
}

/** How long the process that asks for all waits; one that hangs is left out earlier. */
const PATIENCE_MS = 1_500;
const PATIENCE_FOR_ONE_MS = 1_000;

const OF_PARENT: MetricValues = [
  {
    name: "inkstone_processes",
    help: "",
    type: "gauge",
    aggregator: "sum",
    values: [{ labels: { role: "parent" }, value: 1 }],
  },
];

/** Returns what joins a worker: each may ask for the metrics of the others, and answers for itself. */
export function relayMetrics(): (channel: Channel) => void {
  const channels = new Set<Channel>();
  return (channel) => {
    channels.add(channel);
    channel.closed.addEventListener("abort", () => channels.delete(channel));
    answerMetrics(channel, async () => {
      const others = [...channels].filter((each) => each !== channel);
      const found = await Promise.all(others.map((each) => ask(each, PATIENCE_FOR_ONE_MS)));
      return [OF_PARENT, ...found.flat()];
    });
  };
}

export const askForOthers = (parent: Channel): Promise<MetricValues[]> => ask(parent, PATIENCE_MS);

export function answerMetrics(channel: Channel, read: () => Promise<MetricValues[]>): void {
  channel.onMessage<Question>("metrics?", () => {
    void read().then((all) => channel.send<Answer>({ kind: "metrics", all }));
  });
}

/** None if the other process does not answer in time. An answer is one to all that asked before it. */
function ask(channel: Channel, patienceMs: number): Promise<MetricValues[]> {
  return new Promise((resolve) => {
    const settle = (all: MetricValues[]) => {
      clearTimeout(timer);
      stop();
      resolve(all);
    };
    const timer = setTimeout(settle, patienceMs, []);
    const stop = channel.onMessage<Answer>("metrics", ({ all }) => settle(all));
    channel.send<Question>({ kind: "metrics?" });
  });
}
