// A process of its own: asks at an even pace, whether earlier answers have come or not, and times every answer.
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

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
  const answers: Promise<number>[] = [];
  for (const [place, path] of paths.entries()) {
    const due = startedAt + (place * 1_000) / perSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    answers.push(ask(new URL(path, url)));
  }
  return Promise.all(answers);
}

function ask(url: URL): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    get(url, { agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url.href} returned ${answer.statusCode}.`));
      answer.resume().on("end", () => resolve(performance.now() - startedAt));
    }).on("error", reject);
  });
}
