import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { Context, Engine } from "../context.ts";
import { networkOf } from "../limits/addresses.ts";
import { type Buckets, createBuckets } from "../limits/buckets.ts";
import type { Settings } from "../settings/schema.ts";
import * as settings from "../settings/settings.ts";
import { type Authenticator, type Caller, keyOf, refuseStrangers } from "./auth.ts";
import { isRouted } from "./methods.ts";
import { charge } from "./rate-limit.ts";

/** Wrong keys that an address may try at once, and per second from then on. */
const GUESSES = { burst: 20, rate: 1 };

/**
 * Decides who a request comes from, whether they ask too often and whether they may ask at all, in
 * this order and before anything of the request is read but its head.
 */
export function createAdmission({ config, db }: Context, engine: Engine, authenticate: Authenticator) {
  const buckets: Buckets = createBuckets();
  const rightKeys = new LRUCache<string, true>({ max: 10_000 });
  let lastKnown: Settings = settings.defaults();

  async function currentSettings(): Promise<Settings> {
    lastKnown = await settings.remembered(engine.fresh, db.main);
    return lastKnown;
  }

  function limit(request: FastifyRequest, reply: FastifyReply): void {
    if (config.rateLimits && request.url.startsWith("/api/"))
      charge(request, reply, { buckets, settings: lastKnown });
  }

  /** For what must answer while the database doesn't: asks for the settings, but doesn't wait for them. */
  function limitByLastKnown(request: FastifyRequest, reply: FastifyReply): void {
    currentSettings().catch(() => undefined);
    limit(request, reply);
  }

  function admitWithoutDatabase(
    request: FastifyRequest,
    reply: FastifyReply,
    access: "open" | "health",
  ): void {
    limitByLastKnown(request, reply);
    refuseStrangers(request, access, config.healthCheckToken);
  }

  /** The caller of a key. An address that has tried many wrong ones is not looked up for a while. */
  async function callerOf(key: string, request: FastifyRequest): Promise<Caller | undefined> {
    const digest = createHash("sha256").update(key).digest("base64");
    const guesser = `guesses ${networkOf(request.ip)}`;
    const isGuess = config.rateLimits && !rightKeys.has(digest);
    if (isGuess && !buckets.take(guesser, GUESSES).isAllowed) return undefined;
    const caller = await authenticate(key, db.main);
    if (caller && isGuess) buckets.giveBack(guesser, GUESSES);
    if (caller) rightKeys.set(digest, true);
    return caller;
  }

  return async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { access = "write" } = request.routeOptions.config;
    if (!isRouted(request)) return limitByLastKnown(request, reply);
    if (access === "open" || access === "health") return admitWithoutDatabase(request, reply, access);
    request.inPrivate = (await currentSettings()).visibility === "private";
    const key = keyOf(request);
    if (key !== undefined) request.caller = await callerOf(key, request);
    limit(request, reply);
    refuseStrangers(request, access);
  };
}
