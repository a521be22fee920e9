import { once } from "node:events";
import {
  type Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type RequestListener,
} from "node:http";
import net from "node:net";
import type { AddressInfo, LookupFunction, TcpNetConnectOpts } from "node:net";
import { vi } from "vitest";
import { FetchFailure } from "../src/platform/net/failure.ts";
import { createNet, type Net, type NetOptions, type RequestOptions } from "../src/platform/net/net.ts";

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

/**
 * Lets this computer stand for the internet: connections to addresses for which `isHere` holds arrive at the same
 * port of 127.0.0.1, and other public addresses refuse. Returns how to undo it.
 */
export function wire(isHere: (address: string) => boolean): () => void {
  const connect = net.connect.bind(net) as (options: TcpNetConnectOpts) => net.Socket;
  const arrivesAt = (address: string) => {
    if (isOwn(address)) return address;
    return isHere(address) ? "127.0.0.1" : undefined;
  };
  const rewire = ((options: TcpNetConnectOpts) => {
    const { host = "", lookup } = options;
    if (net.isIP(host) === 0)
      return connect({ ...options, ...(lookup && { lookup: through(lookup, arrivesAt) }) });
    const address = arrivesAt(host);
    // Port 0 refuses every connection.
    return connect(address === undefined ? { port: 0, host: "127.0.0.1" } : { ...options, host: address });
  }) as typeof net.connect;
  const spy = vi.spyOn(net, "connect").mockImplementation(rewire);
  return () => spy.mockRestore();
}

function through(lookup: LookupFunction, arrivesAt: (address: string) => string | undefined): LookupFunction {
  return (name, options, callback) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = (found as { address: string }[]).flatMap(({ address }) => arrivesAt(address) ?? []);
      const [first] = addresses;
      if (first === undefined)
        return callback(Object.assign(new Error("nobody"), { code: "ECONNREFUSED" }), []);
      if (!options.all) return callback(null, first, net.isIP(first));
      callback(
        null,
        addresses.map((address) => ({ address, family: net.isIP(address) })),
      );
    });
}

function isOwn(address: string): boolean {
  return (
    address.startsWith("127.") ||
    address === "::1" ||
    address === "::ffff:7f00:1" ||
    address.startsWith("::ffff:127.")
  );
}

export interface Exchanged {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

interface Asked {
  port: number;
  path: string;
  method?: string;
  headers?: Record<string, string>;
  agent?: Agent;
}

/** Sends one request through a socket; the body is as it came, packed or not. */
export async function exchange(asked: Asked): Promise<Exchanged> {
  const sent = request({ host: "127.0.0.1", ...asked }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const body = Buffer.concat(await answer.toArray());
  return { status: answer.statusCode ?? 0, headers: answer.headers, body };
}
