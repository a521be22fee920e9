import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createNet, type Net, type NetOptions, type RequestOptions } from "../src/net/net.ts";
import { FetchFailure } from "../src/net/failure.ts";

/** Another site, on this computer. */
export interface Elsewhere {
  url: string;
  port: number;
  /** The received requests, in order. */
  asked: IncomingMessage[];
  /** How many connections are open. */
  connections: () => Promise<number>;
  stop: () => Promise<void>;
}

export async function startElsewhere(answer: RequestListener, host = "127.0.0.1"): Promise<Elsewhere> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  server.listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    asked,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

const MODEST = { maxBytes: 100_000, timeoutMs: 10_000, maxRedirects: 3 };

/** A client that may reach this computer, by default. */
export function netFor(options: Partial<NetOptions> = {}): Net {
  return createNet({
    baseUrl: "https://ink.example",
    allowPrivateNetwork: true,
    outboundPorts: [],
    ...options,
  });
}

export function ask(net: Net, url: string, options: Partial<RequestOptions> = {}) {
  return net.request(url, { ...MODEST, ...options });
}

/** Why this request fails; what it fails with must be made for users. */
export async function failureOf(net: Net, url: string, options: Partial<RequestOptions> = {}) {
  const error = await ask(net, url, options).catch((error: unknown) => error);
  if (error instanceof FetchFailure) {
    const { kind, message, cause } = error;
    if (cause === undefined) return { kind, message };
  }
  throw new Error(`${url} gave ${JSON.stringify(error)}`, { cause: error });
}
