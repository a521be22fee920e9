import { isIP } from "node:net";

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
    name: "DATABASE_PREPARED_STATEMENTS",
    rule: "auto or off",
    default: "auto",
    description:
      "`auto` prepares the statements of frequent reads, and stops when a connection pooler turns out not to keep them. `off` never prepares.",
    accepts: (value) => ["auto", "off"].includes(value),
  },
  {
    name: "MIN_FREE_DISK_MEGABYTES",
    rule: "0, or a whole number from 64 to 1000000",
    default: "256",
    description:
      "With the embedded PostgreSQL, writes are refused with 503 while its disk has less free space than this. A ballast file of half this size is removed when the disk is nearly full, so that reads go on. `0` turns both off.",
    accepts: (value) => value === "0" || isWhole(value, 64, 1_000_000),
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
    name: "LOG_FORMAT",
    rule: "text or json",
    default: "",
    description: "How the server logs. Empty: `text`, lines to read, in a terminal; else `json`.",
    accepts: (value) => ["text", "json"].includes(value),
  },
  {
    name: "TRUST_PROXY",
    rule: "IP addresses or ranges like 10.0.0.0/8, separated by commas",
    default: "",
    description: "Reverse proxies whose `X-Forwarded-For` is believed. Empty: none.",
    accepts: (value) => splitList(value).every(isAddressOrRange),
  },
  {
    name: "MAX_CONNECTIONS",
    rule: "a whole number from 10 to 100000",
    default: "3000",
    description: "Connections that clients may have open in total. Further ones are closed at once.",
    accepts: (value) => isWhole(value, 10, 100_000),
  },
  {
    name: "MAX_CONNECTIONS_PER_ADDRESS",
    rule: "a whole number from 10 to 100000",
    default: "500",
    description:
      "The same per client: an IPv4 address, loopback included, or an IPv6 network (/64). Proxies in `TRUST_PROXY` are exempt.",
    accepts: (value) => isWhole(value, 10, 100_000),
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

export function splitList(value: string): string[] {
  return value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
