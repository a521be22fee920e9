import type { Channel } from "../channel.ts";
import { type Allowance, type Buckets, describe, type Taken } from "./buckets.ts";
import type { Answers, Ask, Asks } from "./ledger.ts";

/** The token buckets of a computer, which its parent process holds: one message asks for all requests of a turn. */
export function createWorkerBuckets(parent: Channel): Buckets {
  const waiting: ((taken: Taken) => void)[] = [];
  let asks: Ask[] = [];

  parent.onMessage<Answers>("tokens", ({ answers }) => {
    for (const [index, resolve] of waiting.splice(0, answers.length).entries())
      resolve(answers[index] as Taken);
  });

  function flush(): void {
    parent.send<Asks>({ kind: "tokens", asks });
    asks = [];
  }

  function post(verb: keyof Buckets, client: string, { rate, burst }: Allowance): void {
    if (asks.push([verb, client, rate, burst]) === 1) setImmediate(flush);
  }

  function ask(verb: "take" | "look", client: string, allowance: Allowance): Promise<Taken> {
    post(verb, client, allowance);
    return new Promise((resolve) => void waiting.push(resolve));
  }

  return {
    take: (client, allowance) => ask("take", client, allowance),
    look: (client, allowance) => ask("look", client, allowance),
    giveBack(client, allowance, { remaining }) {
      post("giveBack", client, allowance);
      return describe(Math.min(allowance.burst, remaining + 1), allowance, true);
    },
  };
}
