import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { Context, Services } from "../context.ts";
import { noRoom } from "../files/disk.ts";
import { networkOf } from "../limits/addresses.ts";
import { type Buckets, createBuckets } from "../limits/buckets.ts";
import type { Settings } from "../settings/schema.ts";
import * as settings from "../settings/settings.ts";
import { type Access, type Authenticator, type Caller, keyOf, refuseStrangers } from "./auth.ts";
import { isRouted } from "./methods.ts";
import { charge, chargeRead, READS } from "./rate-limit.ts";

/** Authenticates a request, applies the rate limits and checks its access, from its head alone. */
export function createAdmission({ config, db }: Context, services: Services, authenticate: Authenticator) {
  const buckets: Buckets = createBuckets();
  const callerOf = createKeyReader({ isLimited: config.rateLimits, buckets }, (key) =>
    authenticate(key, db.main),
  );
  let lastKnown: Settings = settings.defaults();

  async function currentSettings(): Promise<Settings> {
    lastKnown = await settings.cached(services.cache, db.main);
    return lastKnown;
  }

  function limit(request: FastifyRequest, reply: FastifyReply): void {
    if (config.rateLimits && isLimited(request)) charge(request, reply, { buckets, settings: lastKnown });
  }

  /** For routes that work without the database. */
  function limitByLastKnown(request: FastifyRequest, reply: FastifyReply): void {
    currentSettings().catch(() => undefined);
    limit(request, reply);
  }

  /** For a stranger's read out of memory; undefined when it needs more, or is refused. */
  function admitStranger(address: string, { access, isLimited }: Door): string[] | undefined {
    const current = settings.ifCached(services.cache);
    if (current === undefined || (access === "public" && current.visibility === "private")) return undefined;
    return config.rateLimits && isLimited ? chargeRead(address, { buckets, settings: current }) : [];
  }

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { access = "write" } = request.routeOptions.config;
    if (!isRouted(request)) return limitByLastKnown(request, reply);
    if (INDEPENDENT.includes(access)) {
      limitByLastKnown(request, reply);
      return refuseStrangers(request, access, config);
    }
    request.inPrivate = (await currentSettings()).visibility === "private";
    const key = keyOf(request);
    if (key !== undefined) request.caller = await callerOf(key, request.ip);
    limit(request, reply);
    refuseStrangers(request, access);
    if (!READS.has(request.method) && !services.disk.hasRoom) throw noRoom();
  }

  return { admit, admitStranger };
}

export type AdmitStranger = ReturnType<typeof createAdmission>["admitStranger"];

/** The access of a route for readers without a key. */
export interface Door {
  access: "public" | "open";
  isLimited: boolean;
}

export function isLimited(request: FastifyRequest): boolean {
  return request.url.startsWith("/api/") || request.routeOptions.config.limited === true;
}

/** These routes work without the database. */
const INDEPENDENT: readonly Access[] = ["open", "health", "metrics"];

/** Wrong keys per address. */
const GUESSES = { burst: 20, rate: 1 };

type FindCaller = (key: string) => Promise<Caller | undefined>;

/** An address with too many wrong keys is not looked up for a while. */
function createKeyReader(
  { isLimited, buckets }: { isLimited: boolean; buckets: Buckets },
  authenticate: FindCaller,
) {
  const rightKeys = new LRUCache<string, true>({ max: 10_000 });

  return async (key: string, ip: string): Promise<Caller | undefined> => {
    const digest = createHash("sha256").update(key).digest("base64");
    if (!isLimited || rightKeys.get(digest)) return authenticate(key);
    const guesser = `guesses ${networkOf(ip)}`;
    if (!buckets.take(guesser, GUESSES).isAllowed) return undefined;
    // Only wrong keys count: many requests with a new key may come at once.
    buckets.giveBack(guesser, GUESSES);
    const caller = await authenticate(key);
    if (caller === undefined) buckets.take(guesser, GUESSES);
    else rightKeys.set(digest, true);
    return caller;
  };
}
