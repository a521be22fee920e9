// A process of its own: asks one server as fast as it answers, and times every answer.
import autocannon from "autocannon";
import type { Load, Order, Request } from "./orders.ts";

process.on("message", (order: Order) => {
  void fire(order).then((load) => process.send?.(load));
});

async function fire({ url, requests, connections, seconds }: Order): Promise<Load> {
  const milliseconds: number[] = [];
  let started = 0;
  const run = autocannon({
    url,
    connections,
    duration: seconds,
    setupClient(client) {
      client.setRequests(part(requests, started, connections));
      started += 1;
    },
  });
  run.on("response", (_client, _status, _bytes, duration) => milliseconds.push(duration));
  const { errors, duration, statusCodeStats } = await run;
  const statuses = Object.entries(statusCodeStats).map(([status, { count }]) => [status, count] as const);
  return {
    statuses: Object.fromEntries(statuses),
    errors,
    seconds: duration,
    milliseconds: Float64Array.from(milliseconds),
  };
}

/** Each connection has its own requests, so that no two ask for the same thing at once unless there is only one. */
function part(requests: Request[], index: number, parts: number): Request[] {
  const own = requests.filter((_, place) => place % parts === index % parts);
  return (own.length > 0 ? own : requests).map((request) => ({ ...request }));
}
