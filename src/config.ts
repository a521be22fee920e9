import { readFileSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { availableParallelism } from "node:os";
import { isIP } from "node:net";

/** The version of this program. */
export const VERSION = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
).version;

/** What the process is told from outside; see docs/run/configuration.md. */
export interface Config {
  port: number;
  host: string;
  /** Where readers find the site, without a trailing slash. */
  baseUrl: string;
  dataDir: string;
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  databasePoolSize: number;
  rateLimits: boolean;
  healthCheckToken: string | undefined;
  metricsToken: string | undefined;
  logLevel: string;
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  trustProxy: string[];
  /** Development and tests: outbound requests may go to private addresses, over http, to any port. */
  allowPrivateNetwork: boolean;
  /** Ports that outbound requests may go to, beside 80 and 443. */
  outboundPorts: number[];
}

type Environment = Record<string, string | undefined>;

/** One variable: what it may hold, in the words in which it is documented and refused. */
interface Variable {
  name: string;
  rule: string;
  default: string;
  description: string;
  /** Never shown in a message. */
  secret?: boolean;
  accepts: (value: string) => boolean;
}

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

export const VARIABLES: readonly Variable[] = [
  {
    name: "PORT",
    rule: "a whole number from 0 to 65535 (0 takes any free port)",
    default: "3000",
    description: "The port the server listens on.",
    accepts: (value) => isWhole(value, 0, 65_535),
  },
  {
    name: "HOST",
    rule: "an address or host name of this computer, without a port",
    default: "127.0.0.1",
    description: "The address the server listens on. `0.0.0.0` lets other computers in.",
    accepts: (value) => isIP(value) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value),
  },
  {
    name: "BASE_URL",
    rule: "an http or https address without path, query or trailing slash, like https://community.example",
    default: "",
    description: "Where readers find the site. Empty: `http://localhost:PORT`.",
    accepts: isOrigin,
  },
  {
    name: "DATA_DIR",
    rule: "a path without control characters",
    default: "./data",
    description: "Where the embedded PostgreSQL and other files are kept.",
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    accepts: (value) => !/[\u0000-\u001f]/.test(value),
  },
  {
    name: "DATABASE_URL",
    rule: "an address like postgres://user:password@host:5432/name",
    default: "",
    description: "A PostgreSQL server, version 15 or newer. Empty: the embedded one.",
    secret: true,
    accepts: (value) => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value),
  },
  {
    name: "DATABASE_POOL_SIZE",
    rule: "a whole number from 2 to 200",
    default: "",
    description:
      "Connections to the database per process. Empty: twice the number of processors, from 4 to 16.",
    accepts: (value) => isWhole(value, 2, 200),
  },
  {
    name: "RATE_LIMITS",
    rule: "on or off",
    default: "on",
    description: "`off` turns all rate limits and their headers off, for tests and benchmarks.",
    accepts: (value) => ["on", "off"].includes(value),
  },
  {
    name: "HEALTH_CHECK_TOKEN",
    rule: "16 to 200 printable characters without spaces",
    default: "",
    description:
      "What a monitor on another computer sends as `health-check-token`. Empty: the health checks answer this computer only.",
    secret: true,
    accepts: isToken,
  },
  {
    name: "METRICS_TOKEN",
    rule: "16 to 200 printable characters without spaces",
    default: "",
    description:
      "What a monitor sends to `/metrics` as `Authorization: Bearer`. Empty: `/metrics` answers this computer only.",
    secret: true,
    accepts: isToken,
  },
  {
    name: "LOG_LEVEL",
    rule: `one of ${LOG_LEVELS.join(", ")}`,
    default: "info",
    description: "How much is logged.",
    accepts: (value) => LOG_LEVELS.includes(value),
  },
  {
    name: "TRUST_PROXY",
    rule: "IP addresses or ranges like 10.0.0.0/8, separated by commas",
    default: "",
    description: "Reverse proxies whose `X-Forwarded-For` is believed. Empty: none.",
    accepts: (value) => splitList(value).every(isAddressOrRange),
  },
  {
    name: "ALLOW_PRIVATE_NETWORK",
    rule: "true or false",
    default: "false",
    description:
      "`true` lets feeds, webhooks and pictures come from and go to this computer and its network, over http and any port. For development and tests: on a public site it opens the network to strangers.",
    accepts: (value) => ["true", "false"].includes(value),
  },
  {
    name: "OUTBOUND_PORTS",
    rule: "whole numbers from 1 to 65535, separated by commas",
    default: "",
    description: "Ports that feeds, webhooks and pictures may use beside 80 and 443. Empty: none.",
    accepts: (value) => splitList(value).every((port) => isWhole(port, 1, 65_535)),
  },
];

/** Wrong or contradictory settings of the process, all of them in one message. */
export class ConfigError extends Error {}

/**
 * Reads the process's settings. An empty variable counts as unset.
 * @throws ConfigError that names every wrong variable and its rule
 */
export function readConfig(environment: Environment = process.env): Config {
  const values = new Map(
    VARIABLES.map(({ name, default: fallback }) => [name, environment[name] || fallback]),
  );
  const problems = [...wrongValues(values), ...contradictions(values)];
  if (problems.length > 0) {
    throw new ConfigError(
      `Inkstone can't start with these settings:\n${problems.map((p) => `  ${p}`).join("\n")}`,
    );
  }
  return toConfig((name) => values.get(name) ?? "");
}

function wrongValues(values: Map<string, string>): string[] {
  return VARIABLES.flatMap(({ name, rule, secret, accepts }) => {
    const value = values.get(name);
    if (!value || accepts(value)) return [];
    return `${name} must be ${rule}${secret ? "" : `, not ${JSON.stringify(value)}`}.`;
  });
}

function contradictions(values: Map<string, string>): string[] {
  const problems: string[] = [];
  if (values.get("PORT") === "0" && !values.get("BASE_URL")) {
    problems.push("PORT is 0, so nobody knows the address beforehand: BASE_URL must be set too.");
  }
  if (values.get("RATE_LIMITS") === "off" && values.get("BASE_URL")?.startsWith("https://")) {
    problems.push(
      "RATE_LIMITS is off, but BASE_URL is https, so this looks like a public site: remove RATE_LIMITS=off.",
    );
  }
  if (!values.get("DATABASE_URL") && Number(values.get("DATABASE_POOL_SIZE")) > MAX_EMBEDDED_POOL) {
    problems.push(
      `DATABASE_POOL_SIZE is above ${MAX_EMBEDDED_POOL}, more than the embedded PostgreSQL serves: lower it, or set DATABASE_URL.`,
    );
  }
  return problems;
}

/** The embedded engine takes 60 connections: these, half as many for search, and those of jobs and commands. */
const MAX_EMBEDDED_POOL = 30;

function toConfig(value: (name: string) => string): Config {
  const dataDir = value("DATA_DIR");
  return {
    port: Number(value("PORT")),
    host: value("HOST"),
    baseUrl: value("BASE_URL") || `http://localhost:${value("PORT")}`,
    dataDir: isAbsolute(dataDir) ? dataDir : resolve(dataDir),
    databaseUrl: value("DATABASE_URL") || undefined,
    databasePoolSize:
      Number(value("DATABASE_POOL_SIZE")) || Math.min(16, Math.max(4, 2 * availableParallelism())),
    rateLimits: value("RATE_LIMITS") === "on",
    healthCheckToken: value("HEALTH_CHECK_TOKEN") || undefined,
    metricsToken: value("METRICS_TOKEN") || undefined,
    logLevel: value("LOG_LEVEL"),
    trustProxy: splitList(value("TRUST_PROXY")),
    allowPrivateNetwork: value("ALLOW_PRIVATE_NETWORK") === "true",
    outboundPorts: splitList(value("OUTBOUND_PORTS")).map(Number),
  };
}

function isWhole(value: string, minimum: number, maximum: number): boolean {
  return /^(0|[1-9]\d{0,9})$/.test(value) && Number(value) >= minimum && Number(value) <= maximum;
}

function isToken(value: string): boolean {
  return /^[\x21-\x7e]{16,200}$/.test(value);
}

function isOrigin(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value) && new URL(value).origin === value;
}

function isAddressOrRange(value: string): boolean {
  const [address = "", bits, ...rest] = value.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || isWhole(bits, 0, family === 4 ? 32 : 128);
}

function splitList(value: string): string[] {
  return value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
