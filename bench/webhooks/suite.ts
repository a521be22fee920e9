import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../../src/db/connect.ts";
import { type Reaction, reactions } from "../../test/actors.ts";
import { type Percentiles, percentiles } from "../measure/percentiles.ts";
import { serve } from "../measure/program.ts";
import { createSender } from "../writes/over-http.ts";
import { openForWriting } from "../writes/people.ts";
import { makeOwner, makeReactors, type Owner, type Reactor } from "./people.ts";
import { type Receivers, startReceivers } from "./receivers.ts";

export interface WebhookBench {
  dataDir: string;
  /** For how long events happen, with and without dead endpoints. */
  seconds: number;
  /** Of each kind, to the live endpoint and to dead ones. */
  perSecond: number;
  dead: number;
  say: (text: string) => void;
}

/** From the end of the change to the request at the live endpoint, in milliseconds. */
export interface Delays extends Percentiles {
  slowest: number;
  events: number;
  /** Events that hadn't come in when the waiting ended. */
  missing: number;
}

export interface WebhookDelays {
  alone: Delays;
  amongDead: Delays;
}

const CATEGORIES = ["like", "unicorn", "exploding_head", "raised_hands", "fire"] as const;
const REACTORS = 100;
const CONNECTIONS = 16;
/** How long the last events are waited for. */
const PATIENCE_MS = 20_000;

/** Measures the live endpoint alone, and then among dead ones that are sent as much. */
export async function measureWebhooks(bench: WebhookBench): Promise<WebhookDelays> {
  const receivers = await startReceivers();
  const serving = await serve(bench.dataDir, { ALLOW_PRIVATE_NETWORK: "true" });
  const connection = openForWriting(bench.dataDir, CONNECTIONS);
  const sender = createSender(serving.baseUrl);
  try {
    const { db } = connection;
    const reactors = await makeReactors(db, REACTORS);
    const own = (username: string, targetUrl: string, articles: number) =>
      makeOwner(db, sender.send, { username, targetUrl, articles });
    const needed = Math.ceil((2 * bench.seconds * bench.perSecond) / (REACTORS * CATEGORIES.length));
    const live = await own("live", receivers.live, needed);
    const toLive = reactionsTo([live], reactors);
    bench.say("The live endpoint alone");
    const alone = await measure(db, receivers, bench, [toLive]);
    const dead: Owner[] = [];
    for (let number = 1; number <= bench.dead; number += 1) {
      dead.push(await own(`dead_${number}`, receivers.dead(number), 1));
    }
    bench.say(`The live endpoint among ${bench.dead} dead ones`);
    const amongDead = await measure(db, receivers, bench, [toLive, reactionsTo(dead, reactors)]);
    return { alone, amongDead };
  } finally {
    sender.close();
    await connection.db.destroy();
    await serving.stop();
    await receivers.stop();
  }
}

interface Happening {
  name: string;
  reaction: Reaction;
}

/** New reactions, to one owner after another. */
function* reactionsTo(owners: Owner[], reactors: Reactor[]): Generator<Happening, never> {
  for (const category of CATEGORIES) {
    for (const { id: userId, username } of reactors) {
      for (const articleId of owners.flatMap(({ articleIds }) => articleIds)) {
        const name = `${articleId} ${category} ${username}`;
        yield { name, reaction: { userId, target: { articleId }, category } };
      }
    }
  }
  throw new Error("Everybody has reacted to everything: run it for a shorter time.");
}

/** Lets events happen at an even pace; the first of the kinds is the one that is waited for. */
async function measure(
  db: Db,
  { arrivals }: Receivers,
  { seconds, perSecond }: WebhookBench,
  kinds: Generator<Happening, never>[],
): Promise<Delays> {
  const changed = new Map<string, number>();
  let failure: unknown;
  const work: Promise<unknown>[] = [];
  const startedAt = performance.now();
  for (let count = 0; count < seconds * perSecond; count += 1) {
    await sleep(Math.max(0, startedAt + (count * 1_000) / perSecond - performance.now()));
    for (const [index, kind] of kinds.entries()) {
      const { name, reaction } = kind.next().value;
      const change = reactions.react(db, reaction, { now: new Date() });
      const done = change.then(() => index === 0 && changed.set(name, performance.now()));
      work.push(done.catch((error: unknown) => (failure ??= error)));
    }
    if (failure !== undefined) throw failure;
  }
  await Promise.all(work);
  const end = performance.now() + PATIENCE_MS;
  const isMissing = (name: string) => !arrivals.has(name);
  while ([...changed.keys()].some(isMissing) && performance.now() < end) await sleep(50);
  const delays = [...changed].flatMap(([name, at]) => {
    const arrived = arrivals.get(name);
    return arrived === undefined ? [] : [Math.max(0, arrived - at)];
  });
  return {
    ...percentiles(delays),
    slowest: Math.max(...delays),
    events: changed.size,
    missing: changed.size - delays.length,
  };
}
