import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, createSender, type Reply } from "../measure/http.ts";
import type { Server } from "../measure/program.ts";
import { createTexts } from "../writes/texts.ts";
import type { Rig } from "./rig.ts";

interface Asking {
  /** So many at once. */
  clients: number;
  /** Of all together; as many as they can by default. */
  perSecond?: number;
}

/** The outcome of requests: a sentence for each failure, and the milliseconds of each request. */
export interface Asked {
  failures: string[];
  milliseconds: number[];
}

const WARM_UP_MS = 5_000;

/** Warms up, and asks on until `end` is called; `askOnce` throws where an answer is none. */
export async function keepAsking(
  { clients, perSecond }: Asking,
  askOnce: (turn: number) => Promise<unknown>,
): Promise<{ end: () => Promise<Asked> }> {
  const asked: Asked = { failures: [], milliseconds: [] };
  const over = new AbortController();
  const startedAt = performance.now();
  let turn = 0;
  const askOn = async () => {
    while (!over.signal.aborted) {
      const due = perSecond === undefined ? 0 : startedAt + (turn * 1_000) / perSecond;
      turn += 1;
      const own = turn;
      if (due > performance.now()) await sleep(due - performance.now());
      const before = performance.now();
      await askOnce(own).catch((error: unknown) => asked.failures.push(String(error)));
      asked.milliseconds.push(performance.now() - before);
    }
  };
  const all = Promise.all(Array.from({ length: clients }, askOn));
  await sleep(WARM_UP_MS);
  asked.milliseconds = [];
  return {
    async end() {
      over.abort();
      await all;
      return asked;
    },
  };
}

/** Longer than any answer may take that is no failure. */
const PATIENCE_MS = 10_000;

type Options = Parameters<typeof ask>[1];

/** Asks over connections that stay open. */
export function clientOf(baseUrl: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    /** @throws Error for a status that is not among these */
    async ask(path: string, statuses = [200], options: Options = {}, body?: object): Promise<Reply> {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const reply = await ask(new URL(path, baseUrl), { agent, signal, ...options }, body);
      if (statuses.includes(reply.status)) return reply;
      throw new Error(`${reply.status} for ${path}: ${String(reply.body).slice(0, 200)}`);
    },
    close: () => agent.destroy(),
  };
}

/** Makes articles of a new author, by a server; gives their ids and the author's key. */
export async function createArticles(rig: Rig, { baseUrl }: Server, username: string, count: number) {
  await rig.command("user", "create", "--username", username, "--name", username);
  const key = await rig.command("key", "create", "--user", username, "--description", "Bench");
  const [sender, texts] = [createSender(baseUrl), createTexts()];
  const ids: number[] = [];
  for (let place = 0; place < count; place += 1) {
    const article = { ...texts.next(), published: true };
    ids.push((await sender.send("POST", "/api/articles", key, { article })).id);
  }
  sender.close();
  return { ids, key };
}
