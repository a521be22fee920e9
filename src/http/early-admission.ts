import type { IncomingMessage, ServerResponse } from "node:http";
import type { AdmitAnonymous, RouteAccess } from "./auth.ts";
import { addressReader, type TrustedProxies } from "./proxies.ts";
import type { Charge } from "./rate-limit.ts";
import { refusalOfHead } from "./request-head.ts";

export interface Admitted extends Charge {
  address: string;
  startedAt: number;
}

export type Exchange = [request: IncomingMessage, response: ServerResponse];

/** Returns undefined where Fastify refuses the request. */
export type AdmitEarly = (request: IncomingMessage, route: RouteAccess) => Admitted | undefined;

interface Options {
  proxies: TrustedProxies;
  admitAnonymous: AdmitAnonymous;
}

/** Admits requests without a key before Fastify sees them. */
export function createEarlyAdmission({ proxies, admitAnonymous }: Options): AdmitEarly {
  const addressOf = addressReader(proxies);
  return (request, route) => {
    const address = addressOf(request);
    if (address === undefined || refusalOfHead({ raw: request }) !== undefined) return undefined;
    const charge = admitAnonymous(address, route);
    return charge && { ...charge, address, startedAt: performance.now() };
  };
}
