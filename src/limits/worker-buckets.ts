import type { Channel } from "../channel.ts";
import { type Allowance, type Buckets, describe, type Taken } from "./buckets.ts";
import type { Answer, Answers, Ask, Asks, Return } from "./ledger.ts";

/** How long tokens are held that nobody uses, and refusals are repeated without asking. */
const HOLD_MS = 30;

/** What the worker knows of a client who asked within `HOLD_MS`. */
interface Known {
  allowance: Allowance;
  /** Tokens in advance. */
  held: number;
  /** What the parent's bucket held, and when. */
  left: number;
  at: number;
}

/**
 * The token buckets of a computer, of which its parent process has the ledger. A request asks there, unless its worker
 * holds a token in advance.
 */
export function createWorkerBuckets(parent: Channel, clock = () => performance.now()): Buckets {
  const clients = new Map<string, Known>();
  const ledger = linkToLedger(parent);
  let timer: NodeJS.Timeout | undefined;

  function releaseSoon(): void {
    timer ??= setTimeout(release, HOLD_MS).unref();
  }

  function release(): void {
    for (const [client, { allowance, held }] of clients) ledger.giveBack(client, allowance, [held, held]);
    clients.clear();
    timer = undefined;
    ledger.flush();
  }

  function know(client: string, allowance: Allowance): Known {
    const known = clients.get(client) ?? { allowance, held: 0, left: Infinity, at: 0 };
    clients.set(client, known);
    releaseSoon();
    return known;
  }

  async function ask(client: string, allowance: Allowance, tokens: number): Promise<Taken> {
    const { rate, burst, inPortions = false } = allowance;
    const isBusy = clients.has(client);
    if (inPortions) know(client, allowance);
    const [isAllowed, left, portion] = await ledger.ask([client, rate, burst, tokens, isBusy]);
    if (!inPortions) return describe(left, allowance, isAllowed);
    const known = Object.assign(know(client, allowance), { left, at: clock() });
    known.held += portion;
    if (tokens > 0 && !isAllowed && known.held > 0) return ledger.spend(client, known, left);
    return describe(left + known.held, allowance, isAllowed);
  }

  return {
    take(client, allowance) {
      const known = clients.get(client);
      if (known === undefined) return ask(client, allowance, 1);
      const { rate, burst } = allowance;
      const left = Math.min(burst, known.left + ((clock() - known.at) / 1_000) * rate);
      if (known.held === 0) return left < 1 ? describe(left, allowance, false) : ask(client, allowance, 1);
      return ledger.spend(client, known, left);
    },
    look: (client, allowance) => ask(client, allowance, 0),
    giveBack(client, allowance, { remaining }) {
      ledger.giveBack(client, allowance, [0, 1]);
      releaseSoon();
      const known = clients.get(client);
      if (known) known.left += 1;
      return describe(Math.min(allowance.burst, remaining + 1), allowance, true);
    },
  };
}

/** Sends what the requests of one turn ask in one message, and with it what is given back. */
function linkToLedger(parent: Channel) {
  const waiting: ((answer: Answer) => void)[] = [];
  const returns = new Map<string, Return>();
  let asks: Ask[] = [];

  parent.onMessage<Answers>("tokens", ({ answers }) => {
    for (const [index, resolve] of waiting.splice(0, answers.length).entries())
      resolve(answers[index] as Answer);
  });

  function flush(): void {
    if (asks.length > 0 || returns.size > 0)
      parent.send<Asks>({ kind: "tokens", asks, returns: [...returns.values()] });
    asks = [];
    returns.clear();
  }

  function giveBack(client: string, { rate, burst }: Allowance, [released, given]: [number, number]): void {
    if (released + given === 0) return;
    const [, , , releasedBefore = 0, givenBefore = 0] = returns.get(client) ?? [];
    returns.set(client, [client, rate, burst, releasedBefore + released, givenBefore + given]);
  }

  return {
    ask(ask: Ask): Promise<Answer> {
      if (asks.push(ask) === 1) setImmediate(flush);
      return new Promise((resolve) => void waiting.push(resolve));
    },
    /** Takes one of the tokens that are held. */
    spend(client: string, known: Known, left: number): Taken {
      known.held -= 1;
      giveBack(client, known.allowance, [1, 0]);
      return describe(Math.min(known.allowance.burst, left + known.held), known.allowance, true);
    },
    giveBack,
    flush,
  };
}
