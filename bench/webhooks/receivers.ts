import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A reaction as the live endpoint gets it. */
interface Delivered {
  data: { article_id: number; category: string; user: { username: string } };
}

/** Which reaction it is. */
function nameOf({ data }: Delivered): string {
  return `${data.article_id} ${data.category} ${data.user.username}`;
}

/**
 * One address that answers at once and notes when each reaction came in, and any number of others, which take a
 * request and never answer.
 */
export async function startReceivers() {
  const arrivals = new Map<string, number>();
  const server = createServer((request, response) => {
    if (request.url === "/live") void take(request, response);
    else request.resume();
  });

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = nameOf((await json(request)) as Delivered);
    arrivals.set(name, arrivals.get(name) ?? performance.now());
    response.end();
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    live: `http://127.0.0.1:${port}/live`,
    dead: (number: number) => `http://127.0.0.1:${port}/dead/${number}`,
    /** When each came in, by its name. */
    arrivals,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export type Receivers = Awaited<ReturnType<typeof startReceivers>>;
