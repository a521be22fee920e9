import { setTimeout as sleep } from "node:timers/promises";
import { listOwn, send } from "./api.ts";
import { isSurvivedBy, kill, KINDS } from "./kill.ts";
import { type Ledger, startPublishers } from "./publishers.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { afterwards } from "./rounds.ts";
import { serve, type Site, stop } from "./site.ts";
import { withClient } from "./writer.ts";
import { expectSound } from "./writing-round.ts";

/** The least changes between a start and a kill. */
const WARM = 30;

/** A killed process keeps what it was sending for half a minute, and a receiver without an answer costs a few seconds. */
const PATIENCE_MS = 180_000;

/** Of what the server and its worker can't survive: both are the same process. */
const DEADLY = KINDS.filter((kind) => !isSurvivedBy(kind));

/**
 * Kills the server and its worker again and again, while people publish and change articles and webhooks tell of it:
 * what was acknowledged must be there once, what was committed must be delivered, under one `webhook-id` however
 * often, and nothing else may be.
 */
export async function deliverThroughKills(
  site: Site,
  keys: readonly string[],
  kills: number,
): Promise<string> {
  const receiver = await startReceiver();
  try {
    let { server } = await serve(site);
    for (const [index, key] of keys.entries()) await subscribe(site, receiver, { key, path: `/${index}` });
    const publishers = startPublishers(site, keys);
    for (let number = 0; number < kills; number++) {
      const kind = DEADLY[number % DEADLY.length] ?? "node";
      const warm = publishers.count() + WARM;
      while (publishers.count() < warm) await sleep(10);
      await sleep(1_000 * Math.random());
      kill(site, kind);
      await afterwards(site, kind);
      ({ server } = await serve(site));
      console.log(`${kind} killed, ${number + 1}/${kills}: ${publishers.count()} changes so far`);
    }
    const ledger = await publishers.stop();
    await untilDelivered(site);
    await expectThereOnce(site, keys, ledger);
    expectDelivered(receiver, ledger);
    await expectSound(site);
    await stop(server);
    return inWords(receiver, ledger);
  } finally {
    receiver.stop();
  }
}

async function subscribe(
  site: Site,
  receiver: Receiver,
  { key, path }: { key: string; path: string },
): Promise<void> {
  const events = ["article_published", "article_updated"];
  const webhook_endpoint = { source: "Crash test", target_url: `${receiver.url}${path}`, events };
  const text = await send(site, { method: "POST", path: "/api/webhooks", key, body: { webhook_endpoint } });
  if (text === undefined) throw new Error("an endpoint isn't made");
  receiver.expect(path, (JSON.parse(text) as { secret: string }).secret);
}

/**
 * What the receiver took and gave no answer to, after attempts that were killed: these count too, so that the next
 * one is minutes away.
 */
const HAS_COME_IN =
  "attempts > 1 and failure is not null and next_attempt_at > now() + interval '30 seconds'";

/** Waits until everything that was committed is delivered; none of it may be given up. */
async function untilDelivered(site: Site): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const left = await withClient(site, async (client) => {
      const { rows } = await client.query<{ tasks: number; pending: number; lost: number }>(
        `select (select count(*)::int from outbox where consumer = 'webhooks') as tasks,
           count(*) filter (where state = 'pending' and not (${HAS_COME_IN}))::int as pending,
           count(*) filter (where state not in ('pending', 'delivered'))::int as lost
         from webhook_deliveries`,
      );
      return rows[0] ?? { tasks: 0, pending: 0, lost: 0 };
    });
    if (left.lost > 0) throw new Error(`${left.lost} deliveries were given up`);
    if (left.tasks + left.pending === 0) return;
    if (performance.now() > deadline) {
      const waited = `${PATIENCE_MS / 1_000} seconds after the last kill`;
      throw new Error(`${left.tasks} events and ${left.pending} deliveries still wait ${waited}`);
    }
    await sleep(500);
  }
}

async function expectThereOnce(site: Site, keys: readonly string[], { articles }: Ledger): Promise<void> {
  const lists = await Promise.all(keys.map((key) => listOwn(site, key)));
  const found = new Map(lists.flat().map(({ id, title }) => [id, title]));
  for (const { id, title } of articles)
    if (found.get(id) !== title) throw new Error(`the article ${id} is ${found.get(id)}, not ${title}`);
  const surplus = found.size - articles.length;
  if (surplus > 0) throw new Error(`${surplus} articles are there that nobody was told of`);
}

/** Fails unless there is a `webhook-id` for every change that was committed, and none for anything else. */
function expectDelivered({ deliveries, faults }: Receiver, { articles }: Ledger): void {
  if (faults.length > 0) throw new Error(`${faults.length} deliveries are wrong: ${faults[0]}`);
  const delivered = new Map<string, number>();
  for (const { event, articleId } of deliveries.values()) {
    const change = `${event} of ${articleId}`;
    delivered.set(change, (delivered.get(change) ?? 0) + 1);
  }
  for (const { id, changes } of articles) {
    for (const [event, committed] of [
      ["article_published", 1],
      ["article_updated", changes],
    ] as const) {
      const change = `${event} of ${id}`;
      const count = delivered.get(change) ?? 0;
      if (count !== committed) throw new Error(`${change} is delivered ${count} times, not ${committed}`);
      delivered.delete(change);
    }
  }
  const [aborted] = delivered.keys();
  if (aborted !== undefined) throw new Error(`${aborted} is delivered and was never committed`);
}

function inWords({ deliveries }: Receiver, { articles, resent, aborted }: Ledger): string {
  const changes = articles.reduce((sum, each) => sum + each.changes, 0);
  const twice = [...deliveries.values()].filter(({ times }) => times > 1).length;
  return [
    `${articles.length} articles are there once and ${changes} changes made`,
    `${resent} requests were sent again and ${aborted} changes came to nothing`,
    `${deliveries.size} events were delivered, ${twice} of them more than once`,
  ].join("; ");
}
