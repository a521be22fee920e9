// A process of its own: asks one server as fast as it answers, and times every answer.
import autocannon from "autocannon";
import type { Order, Report } from "./autocannon-walk.ts";

process.on("message", (order: Order) => {
  void fire(order).then((report) => process.send?.(report));
});

async function fire({ url, paths, headers, connections, seconds }: Order): Promise<Report> {
  const milliseconds: number[] = [];
  const asked: number[] = [];
  const run = autocannon({
    url,
    connections,
    duration: seconds,
    setupClient(client) {
      const place = asked.push(0) - 1;
      client.setRequests(part(paths, place, connections).map((path) => ({ path, headers })));
      client.on("request", () => (asked[place] = (asked[place] ?? 0) + 1));
    },
  });
  run.on("response", (_client, _status, _bytes, duration) => milliseconds.push(duration));
  const { errors, duration, throughput, statusCodeStats } = await run;
  const statuses = Object.entries(statusCodeStats).map(([status, { count }]) => [status, count] as const);
  // autocannon doesn't count a request whose connection was closed; the end of the round cuts off one of each connection.
  const lost = asked.reduce((sum, one) => sum + one, 0) - milliseconds.length - connections;
  return {
    statuses: Object.fromEntries(statuses),
    missing: Math.max(errors, lost, 0),
    mostAsked: Math.max(...asked),
    answers: milliseconds.length,
    seconds: duration,
    bytes: throughput.total,
    milliseconds,
  };
}

/** Each connection has its own addresses, so that no two ask for the same one at once unless there is only one. */
function part(paths: string[], index: number, parts: number): string[] {
  const own = paths.filter((_, place) => place % parts === index % parts);
  return own.length > 0 ? own : paths;
}
