import { isIP } from "node:net";
import { parseFrom, parseMailUrl } from "./mail.ts";
import * as rules from "./rules.ts";

const TOKEN = {
  rule: "16 to 200 printable characters without spaces",
  accepts: (value: string) => /^[\x21-\x7e]{16,200}$/.test(value),
};

const DATABASE_ADDRESS = {
  rule: "an address like postgres://user:password@host:5432/name",
  accepts: (value: string) => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value),
};

const S3_KEY = {
  rule: "3 to 256 printable characters without spaces",
  accepts: (value: string) => /^[\x21-\x7e]{3,256}$/.test(value),
};

export const S3_NAMES = ["S3_ENDPOINT", "S3_BUCKET", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"];
const MAX_REPLICAS = 8;

/** Those that every site needs come first. */
const BY_NAME: Record<string, rules.Variable> = {
  BASE_URL: {
    rule: "an http or https address without path, query or trailing slash, like https://community.example",
    description: "The address at which readers find the site. Empty: `http://localhost:PORT`.",
    accepts: rules.isOrigin,
  },
  PORT: {
    ...rules.whole(0, 65_535, " (0 takes any free port)"),
    default: "3000",
    description: "The port the server listens on.",
  },
  DATA_DIR: {
    rule: "a path without control characters",
    default: "./data",
    description:
      "The directory of the embedded PostgreSQL and other files. Empty with `serve --demo`: `./demo-data`.",
    accepts: (value) => !/\p{Cc}/u.test(value),
  },
  DATABASE_URL: {
    ...DATABASE_ADDRESS,
    description:
      "The address of your own PostgreSQL server, version 15 or newer. Empty: the embedded PostgreSQL.",
    secret: true,
  },
  MAIL_URL: {
    rule: "an address like smtp://user:password@mail.example:587 or smtps://user:password@mail.example, with %40 for an @ in the user or the password",
    description:
      "The SMTP server that sends the site's [emails](mail.md). `smtps://` is TLS from the beginning; `smtp://` uses STARTTLS, without which no password leaves this computer. Empty: the site sends no emails, and everything else works.",
    accepts: (value) => parseMailUrl(value) !== undefined,
    secret: true,
  },
  MAIL_FROM: {
    rule: "an e-mail address such as hello@example.com, or one with a name such as Loom Folk <hello@example.com>",
    description: "The sender of the site's emails. The name is that of the community when left out.",
    accepts: (value) => parseFrom(value) !== undefined,
  },
  HOST: {
    rule: "an address or host name of this computer, without a port",
    default: "127.0.0.1",
    description: "The address the server listens on. `0.0.0.0` lets other computers in.",
    accepts: (value) => isIP(value) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value),
  },
  DRAIN_SECONDS: {
    ...rules.whole(0, 60),
    default: "0",
    description:
      "The number of seconds that a server goes on serving after the signal to stop, while `/readyz` is 503, so that a load balancer finds out before it stops listening.",
  },
  DATABASE_OWNER_URL: {
    ...DATABASE_ADDRESS,
    description:
      "The same database with the role that owns its tables, for `inkstone migrate` and the set-up of an empty database. Empty: the role of `DATABASE_URL` owns them.",
    secret: true,
  },
  DATABASE_REPLICA_URLS: {
    rule: `up to ${MAX_REPLICAS} addresses like postgres://user:password@host:5432/name, separated by commas`,
    description:
      "The addresses of up to 8 hot standbys of the server in `DATABASE_URL`, separated by commas. They answer readers without a key, never more than a second behind. Empty: the primary answers everyone.",
    accepts: (value) => {
      const addresses = rules.splitList(value);
      return addresses.length <= MAX_REPLICAS && addresses.every(DATABASE_ADDRESS.accepts);
    },
    secret: true,
  },
  DATABASE_POOL_SIZE: {
    ...rules.whole(2, 200),
    description:
      "The number of connections to the database per process that serves requests, and to each replica. It has half as many more for searches, and a few for other work ([the sum](scale.md#1-workers)). Empty: twice the number of processors, from 4 to 16, divided by `WORKERS`, but at least 4.",
  },
  WORKERS: {
    rule: "a whole number from 1 to 64, or auto",
    default: "1",
    description:
      "The number of processes that serve requests. From 2 on a parent process starts them, and one more for background work. `auto`: as many as there are processors. `--workers` of `inkstone serve` wins. It has no effect with `ROLE=jobs`.",
    accepts: (value) => value === "auto" || rules.isWhole(value, 1, 64),
  },
  ROLE: {
    ...rules.oneOf("all", "web", "jobs"),
    default: "all",
    description:
      "The work of this server: requests (`web`), background work (`jobs`), or `all`. On several computers any number of each is right, but at least one must do each. Other roles than `all` need `DATABASE_URL`.",
  },
  DATABASE_PREPARED_STATEMENTS: {
    ...rules.either("auto", "off"),
    default: "auto",
    description:
      "With `auto`, the server prepares the statements of frequent reads, unless a connection pooler does not keep them. With `off`, it never prepares.",
  },
  SEARCH_MEMORY_MEGABYTES: {
    ...rules.whole(0, 3_000),
    default: "96",
    description:
      "The memory that each process uses to search articles: 3 KB for each of 100,000 articles of 870 words, 7 KB for each of 2,000 with more words. Bodies of the least popular articles that have no room are looked up in the database; titles, tags, names and descriptions are always in memory. A quarter of it, at least 32 MB, is used beside it for summaries.",
  },
  S3_ENDPOINT: {
    rule: "an http or https address without path, query or trailing slash, like https://s3.example.org",
    description:
      "The address of an S3-compatible store for [uploaded images](files.md). Empty, as the next four: they are in `DATA_DIR/files`.",
    accepts: rules.isOrigin,
  },
  S3_BUCKET: {
    rule: "3 to 63 lower-case letters, digits, dots and hyphens",
    description: "The bucket, which must exist and contain nothing else than this site's files and backups.",
    accepts: (value) => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value),
  },
  S3_REGION: {
    rule: "1 to 64 letters, digits, underscores and hyphens",
    description: "The region of the store, as its documentation names it.",
    accepts: (value) => /^[A-Za-z0-9_-]{1,64}$/.test(value),
  },
  S3_ACCESS_KEY_ID: {
    ...S3_KEY,
    description: "The key that may list the bucket and read, write and delete its objects.",
    secret: true,
  },
  S3_SECRET_ACCESS_KEY: {
    ...S3_KEY,
    description: "The secret of that key.",
    secret: true,
  },
  BACKUP_DIR: {
    rule: "a path without control characters, or s3",
    description:
      "Where a server that does background work writes a [backup](backup.md) every night: a directory, best on another disk, or `s3` for `backups/` in the bucket of `S3_BUCKET`. Empty: there are none.",
    accepts: (value) => !/\p{Cc}/u.test(value),
  },
  BACKUP_KEEP: {
    ...rules.whole(1, 3_650),
    default: "7",
    description:
      "The number of days that nightly backups are kept. Of older ones, the first of each week is kept for four more weeks.",
  },
  ADMIN_USERNAME: {
    rule: "2 to 30 letters a to z, digits or underscores",
    description:
      "The username of the first admin, whom a site without one gets when it starts. Empty: the log has a link to the page that makes one. `ADMIN_PASSWORD_FILE` must be set too.",
    accepts: (value) => /^[A-Za-z0-9_]{2,30}$/.test(value),
  },
  ADMIN_EMAIL: {
    rule: "an address such as lena@example.com",
    description: "The e-mail address of that admin.",
    accepts: (value) => /^[^\s@]+@[^\s@]+$/.test(value),
  },
  ADMIN_IS_CONTACT: {
    ...rules.either("true", "false"),
    default: "false",
    description: "With `true`, everyone sees `ADMIN_EMAIL` as the contact of the site (`contact_email`).",
  },
  ADMIN_PASSWORD_FILE: {
    rule: "a path without control characters",
    description:
      "The file with the password of that admin, of at least 8 characters. It isn't read again later.",
    accepts: (value) => !/\p{Cc}/u.test(value),
  },
  MIN_FREE_DISK_MEGABYTES: {
    rule: "0, or a whole number from 64 to 1000000",
    default: "256",
    description:
      "The server refuses writes with 503 while the disk of the embedded PostgreSQL has less free space than this. It removes a ballast file of half this size when the disk is nearly full, so that reads continue. `0` turns both off.",
    accepts: (value) => value === "0" || rules.isWhole(value, 64, 1_000_000),
  },
  RATE_LIMITS: {
    ...rules.either("on", "off"),
    default: "on",
    description: "`off` turns all rate limits and their headers off, for tests and benchmarks.",
  },
  HEALTH_CHECK_TOKEN: {
    ...TOKEN,
    description:
      "The token that a monitor on another computer sends as `health-check-token`. Empty: the health checks respond to this computer only.",
    secret: true,
  },
  METRICS_TOKEN: {
    ...TOKEN,
    description:
      "The token that a monitor sends to `/metrics` as `Authorization: Bearer`. Empty: `/metrics` responds to this computer only.",
    secret: true,
  },
  LOG_LEVEL: {
    ...rules.oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
    default: "info",
    description: "The lowest level of messages that the server logs.",
  },
  LOG_FORMAT: {
    ...rules.either("text", "json"),
    description: "The format of the server's log. Empty: `text` in a terminal, else `json`.",
  },
  TRUST_PROXY: {
    rule: "IP addresses or ranges like 10.0.0.0/8, separated by commas",
    description: "The reverse proxies whose `X-Forwarded-For` the server trusts. Empty: none.",
    accepts: (value) => rules.splitList(value).every(rules.isAddressOrRange),
  },
  MAX_CONNECTIONS: {
    ...rules.whole(10, 100_000),
    default: "3000",
    description:
      "The number of connections that clients may have open in total. When all are open, the server closes new ones. Of several `WORKERS` each has an equal share.",
  },
  EDGE_SECONDS: {
    ...rules.whole(0, 3_600),
    default: "0",
    description:
      "How long a cache in front of the server may keep public responses without asking, in seconds. They carry `CDN-Cache-Control` then and no rate limits, and a script counts the readers of articles. `0`: no cache but that of a browser keeps them, and it asks before each use.",
  },
  ALLOW_PRIVATE_NETWORK: {
    ...rules.either("true", "false"),
    default: "false",
    description:
      "With `true`, feeds, webhooks and images may use this computer and its network, http and any port. For development and tests: on a public site it opens your network to every author.",
  },
  OUTBOUND_PORTS: {
    rule: "whole numbers from 1 to 65535, separated by commas",
    description: "The ports that feeds, webhooks and images may use besides 80 and 443. Empty: none.",
    accepts: (value) => rules.splitList(value).every((port) => rules.isWhole(port, 1, 65_535)),
  },
};

export const VARIABLES = Object.entries(BY_NAME).map(([name, variable]) => ({
  default: "",
  ...variable,
  name,
}));
