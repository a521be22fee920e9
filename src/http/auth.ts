import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { type Caller, lacksFactor, type Session } from "./actor.ts";
import type { Config } from "../platform/config.ts";
import type { Context, Services } from "../context.ts";
import type { Db } from "../platform/db/connect.ts";
import { type AppError, notFound, unauthorized } from "../platform/errors.ts";
import { noRoom } from "../platform/files/disk.ts";
import { networkOf } from "../platform/limits/networks.ts";
import type { Buckets } from "../platform/limits/buckets.ts";
import * as settings from "../platform/settings/settings.ts";
import { isRead, isRouted } from "./parameters.ts";
import { type Charge, charge, chargeRead } from "./rate-limit.ts";

export type Credential = { key: string } | { token: string };

/** Finds the caller of a credential; undefined for an unknown one. */
export type Authenticator = (
  credential: Credential,
  db: Db,
) => Promise<Caller | "expired" | Suspended | undefined>;

/** The words go on with until when and why. */
export type Suspended = `suspended${string}`;

/**
 * `public`: everyone, unless the community is private. `key`: any key. `write`: a key that isn't read-only. `admin`:
 * a key of an admin. `session`: any session. `member`: one whose user has the second factor that the community asks of
 * them. `staff`: such a one of a moderator or an admin; for others there is no page. `admins`: the same of an admin.
 * `open`: everyone, always. `health`: this computer, or the health check token. `metrics`: the metrics token; without one,
 * this computer.
 */
export type Access =
  | "public"
  | "key"
  | "write"
  | "admin"
  | "session"
  | "member"
  | "staff"
  | "admins"
  | "open"
  | "health"
  | "metrics";

export function caller(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw unauthorized();
  return request.caller;
}

/** A key, or on a page a session, which comes before a key: the API reads no cookie. */
function credentialOf({ headers, routeOptions, server }: FastifyRequest): Credential | undefined {
  const mayHaveSession = routeOptions.config.isPage === true && headers.cookie !== undefined;
  const token = mayHaveSession ? server.sessionCookie.tokenIn(headers) : undefined;
  if (token !== undefined) return { token };
  const key = headers["api-key"];
  return typeof key === "string" && key !== "" ? { key } : undefined;
}

export function sessionOf({ caller }: Pick<FastifyRequest, "caller">): Session | undefined {
  return caller && "session" in caller.by ? caller.by.session : undefined;
}

function refuseAnonymous(request: FastifyRequest, access: Access, tokens: Tokens = {}): void {
  if (MAY_USE[access](request, tokens)) return;
  // Who has yet to set up a second factor is led there.
  const isOf = access === "staff" ? isStaff : access === "admins" ? isAdmin : undefined;
  if (isOf && !(isOf(request) && request.lacksFactor)) throw notFound();
  throw unauthorized(detailOfDenial(request, access));
}

/** Why the key of a request opens nothing. "blocked": its address sent too many unknown keys to look it up. */
export type KeyFault = keyof typeof FAULTS | Suspended;

const FAULTS = {
  missing: "The request has no API key: send one in the api-key header.",
  unknown: "The API key is unknown: it is misspelled or has been removed.",
  expired: "The API key has expired: create a new one.",
  blocked: "Too many unknown API keys came from this address: try again in a minute.",
};

/** The `detail` of a 401. It depends on the key and the route alone, never on whether something exists. */
function detailOfDenial({ caller, keyFault }: FastifyRequest, access: string): string {
  if (access === "health") {
    return "Send the server's HEALTH_CHECK_TOKEN in the health-check-token header, or ask from the same computer.";
  }
  if (access === "metrics") {
    return "Send the server's METRICS_TOKEN as Authorization: Bearer; if none is set, ask from the same computer.";
  }
  if (caller === undefined)
    return keyFault in FAULTS
      ? FAULTS[keyFault as keyof typeof FAULTS]
      : `The account of this API key is ${keyFault}`;
  if (access === "admin") return "The account of this API key isn't an admin.";
  return "This API key is read-only: use one that may write.";
}

function setCaller(request: FastifyRequest, found: Caller | KeyFault): void {
  request.caller = typeof found === "string" ? undefined : found;
  if (typeof found === "string") request.keyFault = found;
}

/**
 * Checks the caller again: while the body came slowly, the key or session may have ended, and its owner may have been
 * suspended or changed roles.
 */
export async function judgeAgain(request: FastifyRequest, db: Db): Promise<void> {
  const credential = credentialOf(request);
  const found = credential && (await request.server.authenticate(credential, db));
  setCaller(request, found ?? "unknown");
  refuseAnonymous(request, request.routeOptions.config.access ?? "write");
}

const isAdmin = (request: FastifyRequest) => sessionOf(request)?.role === "admin";
const isStaff = (request: FastifyRequest) => (sessionOf(request)?.role ?? "member") !== "member";

type Tokens = Partial<Pick<Config, "healthCheckToken" | "metricsToken">>;

const MAY_USE: Record<Access, (request: FastifyRequest, tokens: Tokens) => boolean> = {
  open: () => true,
  public: ({ inPrivate, caller, lacksFactor }) => !inPrivate || (caller !== undefined && !lacksFactor),
  key: ({ caller }) => caller !== undefined,
  write: ({ caller }) => caller !== undefined && !("readOnly" in caller.by && caller.by.readOnly),
  session: (request) => sessionOf(request) !== undefined,
  member: (request) => sessionOf(request) !== undefined && !request.lacksFactor,
  staff: (request) => isStaff(request) && !request.lacksFactor,
  admins: (request) => isAdmin(request) && !request.lacksFactor,
  admin: ({ caller }) => caller?.role === "admin",
  health: mayCheckHealth,
  metrics: mayReadMetrics,
};

/** A token decides if one is sent; otherwise only this computer may ask, and not through a proxy. */
function mayCheckHealth(request: FastifyRequest, { healthCheckToken: expected }: Tokens): boolean {
  const sent = request.headers["health-check-token"];
  if (sent !== undefined) return expected !== undefined && isSame(String(sent), expected);
  return isFromHere(request);
}

/** A configured token is always required: other users may run programs on this computer. */
function mayReadMetrics(request: FastifyRequest, { metricsToken: expected }: Tokens): boolean {
  const sent = request.headers.authorization;
  if (sent === undefined && expected === undefined) return isFromHere(request);
  const [, token = ""] = /^Bearer +(\S+)$/i.exec(sent ?? "") ?? [];
  return expected !== undefined && isSame(token, expected);
}

/** Each proxy adds some of these headers. */
const PROXY_HEADER = /^(forwarded|via|x-forwarded-(for|host|proto)|x-real-ip)$/;

function isFromHere({ headers, socket }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some((name) => PROXY_HEADER.test(name));
  return !isForwarded && /^(?:::1$|(?:::ffff:)?127\.)/.test(socket.remoteAddress ?? "");
}

const digest = (text: string) => createHash("sha256").update(text).digest();

function isSame(sent: string, expected: string): boolean {
  return timingSafeEqual(digest(sent), digest(expected));
}

const FREE: Charge = { fields: [], giveBack() {} };

/** Authenticates a request, applies the rate limits and checks its access, from its head alone. */
export function createAdmission(
  { config, db }: Context,
  services: Services,
  { authenticate, buckets }: { authenticate: Authenticator; buckets: Buckets },
) {
  const callerOf = createCredentialReader({ isLimited: config.rateLimits, buckets }, (credential) =>
    authenticate(credential, db.main),
  );
  const currentSettings = () => settings.cached(services.cache, db);

  function limit(request: FastifyRequest, reply: FastifyReply): void {
    if (!config.rateLimits || !isLimited(request)) return;
    charge(request, reply, { buckets, settings: settings.lastKnown(services.cache) });
  }

  /** Limits requests of routes that work without the database, by the settings that were read last. */
  function limitByLastKnown(request: FastifyRequest, reply: FastifyReply): void {
    currentSettings().catch(() => undefined);
    limit(request, reply);
  }

  /** Admits an anonymous read out of memory; undefined when that needs more, or is refused. */
  function admitAnonymous(address: string, { access, isLimited }: RouteAccess): Charge | undefined {
    const current = settings.ifCached(services.cache);
    if (current === undefined || (access === "public" && current.visibility === "private")) return undefined;
    return config.rateLimits && isLimited ? chargeRead(address, { buckets, settings: current }) : FREE;
  }

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { access = "write", asksToSignIn } = request.routeOptions.config;
    if (!isRouted(request)) return limitByLastKnown(request, reply);
    if (INDEPENDENT.includes(access)) {
      const session = access === "open" ? credentialOf(request) : undefined;
      // A session can't be looked up while the database is away: its reader counts as a stranger.
      if (session && "token" in session)
        setCaller(request, await callerOf(session, request.ip).catch(() => "missing" as const));
      limitByLastKnown(request, reply);
      return refuseAnonymous(request, access, config);
    }
    const current = await currentSettings();
    request.inPrivate = current.visibility === "private";
    const credential = credentialOf(request);
    if (credential !== undefined) setCaller(request, await callerOf(credential, request.ip));
    const session = sessionOf(request);
    request.lacksFactor = session !== undefined && lacksFactor(session, current);
    try {
      limit(request, reply);
      if (!asksToSignIn || request.caller) refuseAnonymous(request, access);
      if (!isRead(request) && !services.disk.hasRoom) throw noRoom();
    } catch (error) {
      const refusal = error as AppError;
      if (!asksToSignIn || !session || refusal.code === "unauthorized") throw error;
      request.refused = refusal;
    }
  }

  return { admit, admitAnonymous };
}

export type AdmitAnonymous = ReturnType<typeof createAdmission>["admitAnonymous"];

export interface RouteAccess {
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

/**
 * An address with too many wrong keys is not looked up for a while. Ended sessions don't count: browsers bring them by
 * themselves, many from behind one address.
 */
function createCredentialReader(
  { isLimited, buckets }: { isLimited: boolean; buckets: Buckets },
  authenticate: (credential: Credential) => ReturnType<Authenticator>,
) {
  const rightKeys = new LRUCache<string, true>({ max: 10_000 });

  return async (credential: Credential, ip: string): Promise<Caller | KeyFault> => {
    if (!("key" in credential)) return (await authenticate(credential)) ?? "missing";
    const digest = createHash("sha256").update(credential.key).digest("base64");
    if (!isLimited || rightKeys.get(digest)) return (await authenticate(credential)) ?? "unknown";
    const guesser = `guesses ${networkOf(ip)}`;
    // Only wrong keys count: many requests with a new key may come at once.
    if (!buckets.look(guesser, GUESSES).isAllowed) return "blocked";
    const caller = await authenticate(credential);
    if (caller === undefined || typeof caller === "string") buckets.take(guesser, GUESSES);
    else rightKeys.set(digest, true);
    return caller ?? "unknown";
  };
}
