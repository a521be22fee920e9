import proxyAddr from "@fastify/proxy-addr";

/** Whether an address is a proxy of the operator; undefined without any. */
export type TrustedProxies = ((address: string, hop: number) => boolean) | undefined;

export function trustedProxies(ranges: string[]): TrustedProxies {
  return ranges.length === 0 ? undefined : proxyAddr.compile(ranges);
}
