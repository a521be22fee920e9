import { Agent, get, type IncomingHttpHeaders, type RequestOptions } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { buffer } from "node:stream/consumers";

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** From the first byte sent to the last received. */
  milliseconds: number;
}

/** One visitor with one connection, who waits for each answer before asking again. */
export interface Client {
  /** With a key the answer is for its owner. */
  ask(path: string, key?: string): Promise<Reply>;
  close(): void;
}

/** Longer than the program remembers an answer. */
const FORGOTTEN_MS = 1_000;

/**
 * Never asks the same address before its answer is forgotten, so that every answer is made anew. With
 * a key it is to be asked for what the key's owner alone may see, which is never remembered.
 */
export function createClient(baseUrl: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const askedAt = new Map<string, number>();
  return {
    async ask(path, key) {
      const url = new URL(path, baseUrl);
      if (key !== undefined) return fetchTimed(url, { agent, headers: { "api-key": key } });
      const soonest = (askedAt.get(path) ?? -Infinity) + FORGOTTEN_MS;
      if (soonest > performance.now()) await sleep(soonest - performance.now());
      const reply = await fetchTimed(url, { agent });
      askedAt.set(path, performance.now());
      return reply;
    },
    close: () => agent.destroy(),
  };
}

/** Stops at an answer that is none, because its time would say nothing. */
export async function askOk(client: Client, path: string, key?: string): Promise<Reply> {
  const reply = await client.ask(path, key);
  if (reply.status === 200) return reply;
  throw new Error(`${path} returned ${reply.status}, not 200: ${reply.body.toString().slice(0, 200)}`);
}

function fetchTimed(url: URL, options: RequestOptions): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    get(url, options, (response) => {
      const { statusCode: status = 0, headers } = response;
      const finish = (body: Buffer) =>
        resolve({ status, headers, body, milliseconds: performance.now() - startedAt });
      buffer(response).then(finish, reject);
    }).on("error", reject);
  });
}
