import { readFileSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { availableParallelism } from "node:os";
import { embeddedConnections, MOST_EMBEDDED, type Role } from "./config/connections.ts";
import { type MailServer, parseFrom, parseMailUrl } from "./config/mail.ts";
import { splitList } from "./config/rules.ts";
import { S3_NAMES, VARIABLES } from "./config/variables.ts";
import { locate } from "./program-files.ts";
import { nearestName } from "./nearest-name.ts";

export const VERSION = (JSON.parse(readFileSync(locate("../package.json"), "utf8")) as { version: string })
  .version;

export type Config = ReturnType<typeof toConfig>;

export class ConfigError extends Error {}

/** The data of a demo are apart from those of a site in the same directory, also for processes that this one starts. */
export function useDemoData(): void {
  process.env["DATA_DIR"] ||= "./demo-data";
}

/** An empty variable counts as unset; `given` wins. @throws ConfigError */
export function readConfig(
  environment: NodeJS.ProcessEnv = process.env,
  given: Record<string, string | undefined> = {},
): Config {
  const values = new Map(
    VARIABLES.map(({ name, default: fallback }) => [name, given[name] ?? (environment[name] || fallback)]),
  );
  const problems = [...wrongValues(values), ...contradictions(values)];
  if (problems.length > 0)
    throw new ConfigError(
      `Inkstone can't start with these settings:\n${problems.map((p) => `  ${p}`).join("\n")}`,
    );
  return toConfig(values);
}

/** A command as it reaches the same site from this folder: a clone has no `inkstone` on the PATH. */
export function typed(command: string, settings = ["DATA_DIR"]): string {
  const [, script = ""] = process.argv;
  const near = relative("", script);
  const file = shellWord(near.startsWith("..") ? script : near);
  const called = script.endsWith("/.bin/inkstone") ? file : "inkstone";
  const program = basename(script) === "inkstone.js" ? `node ${file}` : called;
  // Who names a database in the environment of a server does so for commands.
  const needed = process.env["DATABASE_URL"] ? [] : settings.filter((name) => process.env[name]);
  return [...needed.map((name) => `${name}=${shellWord(String(process.env[name]))}`), program, command].join(
    " ",
  );
}

const shellWord = (text: string) => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** The commands of a sentence, or of a pipe, as they are typed here. */
export const asTyped = (text: string, settings?: string[]): string =>
  text.replaceAll(/(?<=^|`|\| )inkstone (?=[a-z-])/g, () => typed("", settings));

/** Every environment has HOME, and every one that npm starts NODE: two letters from HOST and ROLE. */
const OTHERS = new Set(["HOME", "NODE"]);

/** A sentence for each unknown variable that is nearly one of ours. */
export function misspeltVariables(environment: NodeJS.ProcessEnv = process.env): string[] {
  const known = VARIABLES.map(({ name }) => name);
  return Object.keys(environment).flatMap((name) => {
    if (known.includes(name) || OTHERS.has(name)) return [];
    const meant = nearestName(name, known);
    return meant === undefined ? [] : `${name} is not a setting and has no effect: did you mean ${meant}?`;
  });
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
  if (values.get("PORT") === "0" && !values.get("BASE_URL"))
    problems.push("PORT is 0, so the address is not known in advance: BASE_URL must be set too.");
  if (values.get("RATE_LIMITS") === "off" && values.get("BASE_URL")?.startsWith("https://"))
    problems.push(
      "RATE_LIMITS is off, but BASE_URL is https, so this looks like a public site: remove RATE_LIMITS=off.",
    );
  if (!values.get("DATABASE_URL") && values.get("DATABASE_OWNER_URL"))
    problems.push("DATABASE_OWNER_URL is set, but DATABASE_URL isn't: set both, or neither.");
  for (const name of ["ADMIN_USERNAME", "ADMIN_PASSWORD_FILE"])
    if (ADMIN_NAMES.some((each) => values.get(each)) && !values.get(name))
      problems.push(`${name} must be set too: the first admin has a username and a password.`);
  const unset = ["MAIL_URL", "MAIL_FROM"].filter((name) => !values.get(name));
  if (unset.length === 1)
    problems.push(`${unset[0]} must be set too: emails need a server and a sender, or neither.`);
  const missing = S3_NAMES.filter((name) => !values.get(name));
  if (missing.length > 0 && missing.length < S3_NAMES.length)
    problems.push(`${missing.join(", ")} must be set too: files are in an S3 store only with all of S3_….`);
  if (values.get("BACKUP_DIR") === "s3" && missing.length > 0)
    problems.push("BACKUP_DIR is s3, but there is no store: set all of S3_…, or name a directory.");
  if (!values.get("DATABASE_URL") && values.get("DATABASE_REPLICA_URLS"))
    problems.push(
      "DATABASE_REPLICA_URLS is set, but DATABASE_URL isn't: name the primary of the replicas in it.",
    );
  const databasePoolSize = poolSizeOf(values);
  const connections = embeddedConnections({ role: "all", workers: workersOf(values), databasePoolSize });
  if (!values.get("DATABASE_URL") && connections > MOST_EMBEDDED && Number.isFinite(connections))
    problems.push(
      `WORKERS and DATABASE_POOL_SIZE make ${connections} connections, more than the ${MOST_EMBEDDED} of the embedded PostgreSQL: lower one of them, or set DATABASE_URL.`,
    );
  return problems;
}

function workersOf(values: Map<string, string>): number {
  const value = values.get("WORKERS");
  return value === "auto" ? availableParallelism() : Number(value);
}

function poolSizeOf(values: Map<string, string>): number {
  const shared = Math.min(16, Math.max(4, 2 * availableParallelism()));
  return Number(values.get("DATABASE_POOL_SIZE")) || Math.max(4, Math.ceil(shared / workersOf(values)));
}

function toConfig(values: Map<string, string>) {
  const value = (name: string) => values.get(name) ?? "";
  const numbered = (name: string) => Number(value(name));
  const given = (name: string) => value(name) || undefined;
  return {
    port: numbered("PORT"),
    host: value("HOST"),
    baseUrl: given("BASE_URL") ?? `http://localhost:${value("PORT")}`,
    dataDir: resolve(value("DATA_DIR")),
    drainSeconds: numbered("DRAIN_SECONDS"),
    /** Undefined: the embedded PostgreSQL in `dataDir`. */
    databaseUrl: given("DATABASE_URL"),
    databaseOwnerUrl: given("DATABASE_OWNER_URL"),
    databaseReplicaUrls: splitList(value("DATABASE_REPLICA_URLS")),
    databasePoolSize: poolSizeOf(values),
    role: value("ROLE") as Role,
    workers: workersOf(values),
    /** "auto" prepares statements while connections keep them. */
    preparedStatements: value("DATABASE_PREPARED_STATEMENTS"),
    searchMemoryBytes: numbered("SEARCH_MEMORY_MEGABYTES") * 1024 * 1024,
    /** The embedded PostgreSQL refuses writes while less space is free; 0: never. */
    minFreeDiskBytes: numbered("MIN_FREE_DISK_MEGABYTES") * 1_000_000,
    /** Undefined: files are in `dataDir`. */
    s3: value("S3_ENDPOINT") === "" ? undefined : toStore(value),
    /** A directory, or "s3"; undefined: there are no nightly backups. */
    backupDir: given("BACKUP_DIR") && (value("BACKUP_DIR") === "s3" ? "s3" : resolve(value("BACKUP_DIR"))),
    backupKeepDays: numbered("BACKUP_KEEP"),
    rateLimits: value("RATE_LIMITS") === "on",
    healthCheckToken: given("HEALTH_CHECK_TOKEN"),
    metricsToken: given("METRICS_TOKEN"),
    logLevel: value("LOG_LEVEL"),
    logFormat: given("LOG_FORMAT") ?? (process.stdout.isTTY ? "text" : "json"),
    maxConnections: numbered("MAX_CONNECTIONS"),
    trustProxy: splitList(value("TRUST_PROXY")),
    /** How long a cache in front may keep public answers; 0: there is none. */
    edgeSeconds: numbered("EDGE_SECONDS"),
    /** The admin of a site that has none. */
    admin: value("ADMIN_USERNAME") === "" ? undefined : toAdmin(value),
    /** Undefined: the site sends no emails. */
    mail: toMail(value),
    /** Outbound requests of a development server may use private addresses, http and any port. */
    allowPrivateNetwork: value("ALLOW_PRIVATE_NETWORK") === "true",
    /** Ports that outbound requests may use beside 80 and 443. */
    outboundPorts: splitList(value("OUTBOUND_PORTS")).map(Number),
  };
}

const ADMIN_NAMES = ["ADMIN_USERNAME", "ADMIN_EMAIL", "ADMIN_PASSWORD_FILE"];

function toAdmin(value: (name: string) => string) {
  return {
    username: value("ADMIN_USERNAME"),
    email: value("ADMIN_EMAIL"),
    isContact: value("ADMIN_IS_CONTACT") === "true",
    passwordFile: value("ADMIN_PASSWORD_FILE"),
  };
}

function toMail(value: (name: string) => string): MailServer | undefined {
  const [server, from] = [parseMailUrl(value("MAIL_URL")), parseFrom(value("MAIL_FROM"))];
  return server && from && { ...server, from };
}

function toStore(value: (name: string) => string) {
  return {
    endpoint: value("S3_ENDPOINT"),
    bucket: value("S3_BUCKET"),
    region: value("S3_REGION"),
    accessKeyId: value("S3_ACCESS_KEY_ID"),
    secretAccessKey: value("S3_SECRET_ACCESS_KEY"),
  };
}
