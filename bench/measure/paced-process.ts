// A process of its own: asks at an even pace, whether earlier answers have come or not, and times every answer.
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "./http.ts";

export interface PacedOrder {
  url: string;
  paths: readonly string[];
  perSecond: number;
}

process.on("message", (order: PacedOrder) => {
  void askAll(order).then((milliseconds) => process.send?.(milliseconds));
});

const agent = new Agent({ keepAlive: true });

async function askAll({ url, paths, perSecond }: PacedOrder): Promise<number[]> {
  const startedAt = performance.now();
  const answers = [];
  for (const [place, path] of paths.entries()) {
    const due = startedAt + (place * 1_000) / perSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    answers.push(ask(new URL(path, url), { agent }));
  }
  const replies = await Promise.all(answers);
  const wrong = replies.find(({ status }) => status !== 200);
  if (wrong) throw new Error(`${url} returned ${wrong.status}.`);
  return replies.map(({ milliseconds }) => milliseconds);
}
