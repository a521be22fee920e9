import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context, Services } from "../context.ts";
import { noRoom } from "../files/disk.ts";
import { type Buckets, createBuckets } from "../limits/buckets.ts";
import type { Settings } from "../settings/schema.ts";
import * as settings from "../settings/settings.ts";
import { type Access, type Authenticator, keyOf, refuseStrangers } from "./auth.ts";
import { createKeyReader } from "./key-reader.ts";
import { isRouted } from "./methods.ts";
import { charge, chargeRead } from "./rate-limit.ts";

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Decides who a request comes from, whether they ask too often and whether they may ask at all, in
 * this order and before anything of the request is read but its head.
 */
export function createAdmission({ config, db }: Context, services: Services, authenticate: Authenticator) {
  const buckets: Buckets = createBuckets();
  const callerOf = createKeyReader({ isLimited: config.rateLimits, buckets }, (key) =>
    authenticate(key, db.main),
  );
  let lastKnown: Settings = settings.defaults();

  async function currentSettings(): Promise<Settings> {
    lastKnown = await settings.remembered(services.fresh, db.main);
    return lastKnown;
  }

  function limit(request: FastifyRequest, reply: FastifyReply): void {
    if (config.rateLimits && isLimited(request)) charge(request, reply, { buckets, settings: lastKnown });
  }

  /** For what must answer while the database doesn't: asks for the settings, but doesn't wait for them. */
  function limitByLastKnown(request: FastifyRequest, reply: FastifyReply): void {
    currentSettings().catch(() => undefined);
    limit(request, reply);
  }

  function admitWithoutDatabase(request: FastifyRequest, reply: FastifyReply, access: Independent): void {
    limitByLastKnown(request, reply);
    refuseStrangers(request, access, config);
  }

  /** The same for a read of a stranger that needs nothing but memory; undefined when it needs more, or is refused. */
  function admitStranger(address: string, { access, isLimited }: Door): string[] | undefined {
    const current = settings.recalled(services.fresh);
    if (current === undefined || (access === "public" && current.visibility === "private")) return undefined;
    return config.rateLimits && isLimited ? chargeRead(address, { buckets, settings: current }) : [];
  }

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { access = "write" } = request.routeOptions.config;
    if (!isRouted(request)) return limitByLastKnown(request, reply);
    if (isIndependent(access)) return admitWithoutDatabase(request, reply, access);
    request.inPrivate = (await currentSettings()).visibility === "private";
    const key = keyOf(request);
    if (key !== undefined) request.caller = await callerOf(key, request.ip);
    limit(request, reply);
    refuseStrangers(request, access);
    if (!services.disk.hasRoom && !READS.has(request.method)) throw noRoom();
  }

  return { admit, admitStranger };
}

export type AdmitStranger = ReturnType<typeof createAdmission>["admitStranger"];

/** What a route says about those who want to read it. */
export interface Door {
  access: "public" | "open";
  isLimited: boolean;
}

/** Whether a request counts against the rate limits. */
export function isLimited(request: FastifyRequest): boolean {
  return request.url.startsWith("/api/") || request.routeOptions.config.limited === true;
}

/** What says how the server is must answer also while the database doesn't. */
type Independent = Extract<Access, "open" | "health" | "metrics">;

function isIndependent(access: Access): access is Independent {
  return access === "open" || access === "health" || access === "metrics";
}
