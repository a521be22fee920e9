import type { Config } from "../config.ts";

export type Caps = Pick<Config, "maxConnections" | "maxConnectionsPerAddress">;

/** The cap that a connection exceeds. */
export interface Excess {
  cap: "MAX_CONNECTIONS" | "MAX_CONNECTIONS_PER_ADDRESS";
  allowed: number;
}

/** An address may hold fewer connections when they get scarce. */
const SCARCE_SHARE = 0.8;
const PER_ADDRESS_WHEN_SCARCE = 50;

/** Counts open connections. One without a client counts only in the total. */
export function countConnections({ maxConnections, maxConnectionsPerAddress }: Caps) {
  const perClient = new Map<string, number>();
  let total = 0;

  function allowed(): number {
    const isScarce = total > SCARCE_SHARE * maxConnections;
    return isScarce ? Math.min(PER_ADDRESS_WHEN_SCARCE, maxConnectionsPerAddress) : maxConnectionsPerAddress;
  }

  function add(client: string | undefined, change: number): number {
    total += change;
    if (client === undefined) return 0;
    const now = (perClient.get(client) ?? 0) + change;
    if (now > 0) perClient.set(client, now);
    else perClient.delete(client);
    return now;
  }

  return {
    open(client: string | undefined): Excess | undefined {
      if (add(client, 1) > allowed()) return { cap: "MAX_CONNECTIONS_PER_ADDRESS", allowed: allowed() };
      return total > maxConnections ? { cap: "MAX_CONNECTIONS", allowed: maxConnections } : undefined;
    },
    close: (client: string | undefined) => void add(client, -1),
  };
}
