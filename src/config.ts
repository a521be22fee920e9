import { readFileSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { availableParallelism } from "node:os";
import { splitList, VARIABLES } from "./config/variables.ts";
import { locate } from "./layout.ts";

export const VERSION = (JSON.parse(readFileSync(locate("../package.json"), "utf8")) as { version: string })
  .version;

/** See docs/run/configuration.md. */
export interface Config {
  port: number;
  host: string;
  /** Without a trailing slash. */
  baseUrl: string;
  dataDir: string;
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  databasePoolSize: number;
  /** "auto" prepares statements while connections keep them. */
  preparedStatements: "auto" | "off";
  /** Below this free space the embedded PostgreSQL refuses writes; 0: never. */
  minFreeDiskBytes: number;
  rateLimits: boolean;
  healthCheckToken: string | undefined;
  metricsToken: string | undefined;
  logLevel: string;
  logFormat: "text" | "json";
  maxConnections: number;
  maxConnectionsPerAddress: number;
  /** Proxies whose X-Forwarded-For counts. */
  trustProxy: string[];
  /** For development: outbound requests may use private addresses, http and any port. */
  allowPrivateNetwork: boolean;
  /** In addition to 80 and 443. */
  outboundPorts: number[];
}

type Environment = Record<string, string | undefined>;

/** Lists all faults of the settings. */
export class ConfigError extends Error {}

/**
 * An empty variable counts as unset.
 * @throws ConfigError
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
    problems.push("PORT is 0, so the address is not known in advance: BASE_URL must be set too.");
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

/** The embedded engine has 60 connections: these, half as many for search, and those of jobs and commands. */
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
    preparedStatements: value("DATABASE_PREPARED_STATEMENTS") as Config["preparedStatements"],
    minFreeDiskBytes: Number(value("MIN_FREE_DISK_MEGABYTES")) * 1_000_000,
    rateLimits: value("RATE_LIMITS") === "on",
    healthCheckToken: value("HEALTH_CHECK_TOKEN") || undefined,
    metricsToken: value("METRICS_TOKEN") || undefined,
    logLevel: value("LOG_LEVEL"),
    logFormat: (value("LOG_FORMAT") || (process.stdout.isTTY ? "text" : "json")) as Config["logFormat"],
    maxConnections: Number(value("MAX_CONNECTIONS")),
    maxConnectionsPerAddress: Number(value("MAX_CONNECTIONS_PER_ADDRESS")),
    trustProxy: splitList(value("TRUST_PROXY")),
    allowPrivateNetwork: value("ALLOW_PRIVATE_NETWORK") === "true",
    outboundPorts: splitList(value("OUTBOUND_PORTS")).map(Number),
  };
}
