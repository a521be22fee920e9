import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A request as it has come in. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Answer = (response: ServerResponse, request: Received) => void;

const ok: Answer = (response) => void response.writeHead(204).end();

/** Records requests, and answers 200 by default. */
export async function startReceiver() {
  const received: Received[] = [];
  let answer = ok;
  let arrived = () => {};
  const server = createServer((request, response) => void take(request, response).catch(() => {}));

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const one = { path: request.url ?? "", headers: request.headers, body: await text(request) };
    received.push(one);
    arrived();
    answer(response, one);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answerWith(next: Answer) {
      answer = next;
    },
    /** Fulfilled after this many requests. */
    async hasReceived(count: number): Promise<void> {
      while (received.length < count) await new Promise<void>((resolve) => (arrived = resolve));
    },
    /** How many connections there are. */
    connections: () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
