import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "./actor.ts";
import type { Policy } from "../platform/errors.ts";
import { tooOften } from "../platform/limits/actions.ts";
import { networkOf } from "../platform/limits/networks.ts";
import { type Allowance, type Buckets, secondsFor, type Taken } from "../platform/limits/buckets.ts";
import type { Settings } from "../platform/settings/fields.ts";
import { isRead } from "./parameters.ts";

type Kind = "reads" | "writes";

interface Limits {
  buckets: Buckets;
  settings: Settings;
}

/** Each key has a limit of its own; the sessions of a user share one. */
const nameOf = ({ id, by }: Caller) => ("keyId" in by ? `key ${by.keyId}` : `user ${id}`);

/** Takes one request from the limit of the caller, or else of the address. Admins have no limit. */
export function charge(request: FastifyRequest, reply: FastifyReply, { buckets, settings }: Limits): void {
  const { caller } = request;
  if (caller?.role === "admin") return;
  const kind = isRead(request) ? "reads" : "writes";
  const client = `${kind} ${caller ? nameOf(caller) : networkOf(request.ip)}`;
  const allowance = allowanceOf(kind, settings);
  const tell = (taken: Taken) => write(reply, fieldsOf(policyOf(kind, allowance), taken));
  const taken = buckets.take(client, allowance);
  if (caller) request.giveBack = () => tell(buckets.giveBack(client, allowance));
  tell(taken);
  if (!taken.isAllowed) throw tooOften(taken.retryAfterSeconds);
}

export interface Charge {
  fields: string[];
  giveBack(): void;
}

/** Takes one read from the limit of an address; undefined when the limit is reached. */
export function chargeRead(address: string, { buckets, settings }: Limits): Charge | undefined {
  const allowance = allowanceOf("reads", settings);
  const client = `reads ${networkOf(address)}`;
  const taken = buckets.take(client, allowance);
  if (!taken.isAllowed) return undefined;
  return {
    fields: fieldsOf(policyOf("reads", allowance), taken),
    giveBack: () => void buckets.giveBack(client, allowance),
  };
}

function allowanceOf(kind: Kind, settings: Settings): Allowance {
  return kind === "reads"
    ? { rate: settings.read_rate, burst: settings.read_burst }
    : { rate: settings.write_rate, burst: settings.write_burst };
}

export function tellPolicy(reply: FastifyReply, policy: Policy): void {
  write(reply, fieldsOf(policy, { remaining: 0, resetSeconds: policy.windowSeconds }));
}

function write(reply: FastifyReply, fields: string[]): void {
  for (let index = 0; index < fields.length; index += 2)
    reply.header(fields[index] as string, fields[index + 1]);
}

function policyOf(name: Kind, { rate, burst }: Allowance): Policy {
  return { name, quota: burst, windowSeconds: secondsFor(burst, rate) };
}

export function isRateLimitField(name: string): boolean {
  return /^(x-)?ratelimit(-|$)/.test(name);
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-09, and the older ones: names and values in turn. */
function fieldsOf(
  { name, quota, windowSeconds }: Policy,
  { remaining, resetSeconds }: Pick<Taken, "remaining" | "resetSeconds">,
): string[] {
  return [
    "ratelimit",
    `"${name}";r=${remaining};t=${resetSeconds}`,
    "ratelimit-policy",
    `"${name}";q=${quota};w=${windowSeconds}`,
    "x-ratelimit-limit",
    String(quota),
    "x-ratelimit-remaining",
    String(remaining),
    "x-ratelimit-reset",
    String(resetSeconds),
  ];
}
