import type { IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";

/** Whether an address is a proxy of the operator; undefined without any. */
export type TrustedProxies = ((address: string, hop: number) => boolean) | undefined;

export function trustedProxies(ranges: string[]): TrustedProxies {
  return ranges.length === 0 ? undefined : proxyAddr.compile(ranges);
}

/** Reads the client's address like Fastify's `request.ip`. */
export function addressReader(proxies: TrustedProxies): (request: IncomingMessage) => string | undefined {
  if (proxies === undefined) return ({ socket }) => socket.remoteAddress;
  return (request) => (request.socket.remoteAddress === undefined ? undefined : proxyAddr(request, proxies));
}
