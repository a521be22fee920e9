import type { IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";

/** Whether a proxy is believed when it says who sent a request; undefined when none is. */
export type TrustedProxies = ((address: string, hop: number) => boolean) | undefined;

export function trustedProxies(ranges: string[]): TrustedProxies {
  return ranges.length === 0 ? undefined : proxyAddr.compile(ranges);
}

/** Reads the address of the client as Fastify's `request.ip` does. */
export function addressReader(proxies: TrustedProxies): (request: IncomingMessage) => string | undefined {
  if (proxies === undefined) return ({ socket }) => socket.remoteAddress;
  return (request) => (request.socket.remoteAddress === undefined ? undefined : proxyAddr(request, proxies));
}
