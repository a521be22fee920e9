import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { AdmitAnonymous, RouteAccess } from "./auth.ts";
import { addressReader, type TrustedProxies } from "./proxies.ts";
import type { Charge } from "./rate-limit.ts";
import { refusalOfHead } from "./request-head.ts";

export interface Admitted extends Charge {
  address: string;
  startedAt: number;
}

export type Exchange = [request: IncomingMessage, response: ServerResponse];

/**
 * Calls `answer` if the request is admitted: at once or, in a worker, when its parent has answered. Returns false where
 * Fastify answers, because it is refused or `answer` returns false; later it is handed to Fastify.
 */
export type IfAdmitted = (
  exchange: Exchange,
  route: RouteAccess,
  answer: (admitted: Admitted, isLater: boolean) => boolean,
) => boolean;

interface Options {
  proxies: TrustedProxies;
  admitAnonymous: AdmitAnonymous;
  fastifyListener: RequestListener;
}

/** Admits requests without a key before Fastify sees them. */
export function createEarlyAdmission({ proxies, admitAnonymous, fastifyListener }: Options): IfAdmitted {
  const addressOf = addressReader(proxies);
  return (exchange, route, answer) => {
    const [request] = exchange;
    const address = addressOf(request);
    if (address === undefined || refusalOfHead({ raw: request }) !== undefined) return false;
    const charge = admitAnonymous(address, route);
    const from = { address, startedAt: performance.now() };
    if (!(charge instanceof Promise)) return charge !== undefined && answer({ ...charge, ...from }, false);
    const answerLater = async () => {
      const charged = await charge;
      if (charged && answer({ ...charged, ...from }, true)) return;
      charged?.giveBack();
      fastifyListener(...exchange);
    };
    void answerLater();
    return true;
  };
}
