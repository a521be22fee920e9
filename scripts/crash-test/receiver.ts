import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

/** The requests with one `webhook-id`. */
export interface Delivery {
  event: string;
  articleId: number;
  body: string;
  times: number;
}

/** A receiver of webhooks that forgets nothing and is sometimes struck dumb. */
export interface Receiver {
  url: string;
  /** Says by which secret what comes in at a path is verified. */
  expect(path: string, secret: string): void;
  deliveries: ReadonlyMap<string, Delivery>;
  /** Deliveries that no receiver should see. */
  faults: readonly string[];
  stop(): void;
}

/** One of this many new deliveries gets no answer, though it arrived. */
const DUMB_EVERY = 25;

export async function startReceiver(): Promise<Receiver> {
  const secrets = new Map<string, string>();
  const deliveries = new Map<string, Delivery>();
  const faults: string[] = [];
  const server = createServer((request, response) => void take(request, response).catch(() => {}));

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const id = String(request.headers["webhook-id"]);
    try {
      const secret = secrets.get(request.url ?? "") ?? "";
      const sent = new Webhook(secret).verify(body, request.headers as Record<string, string>);
      note(id, body, sent as { type: string; data: { id: number } });
    } catch (error) {
      faults.push(`${id} can't be verified: ${(error as Error).message}`);
    }
    const isNew = deliveries.get(id)?.times === 1;
    if (isNew && deliveries.size % DUMB_EVERY === 0) request.socket.destroy();
    else response.writeHead(204).end();
  }

  function note(id: string, body: string, { type, data }: { type: string; data: { id: number } }): void {
    const known = deliveries.get(id);
    if (known && known.body !== body) faults.push(`${id} has come with two bodies`);
    deliveries.set(id, { event: type, articleId: data.id, body, times: (known?.times ?? 0) + 1 });
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    expect: (path, secret) => void secrets.set(path, secret),
    deliveries,
    faults,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
