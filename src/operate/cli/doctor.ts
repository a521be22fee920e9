import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { dirname, join } from "node:path";
import { type Config, misspeltVariables, readConfig } from "../../platform/config.ts";
import { freeBytesOf, sizeOf } from "../../platform/files/disk.ts";
import { examineOne, fail, type Finding, type Outcome, ok, warn } from "../health/finding.ts";
import type { OnCheck } from "../health/invariants.ts";
import { action } from "./command.ts";
import { checkDatabase, type DatabaseOptions } from "./doctor-database.ts";
import { toSentence } from "./failures.ts";
import { formatTime, printResult, startProgress, step } from "./output.ts";
import { addressOf, databaseOf, type RunningServer, runningProcesses } from "./running-servers.ts";

export const addDoctor = action(
  {
    name: "doctor",
    text: "check this installation and say how to repair what is wrong",
    options: {
      "--verify": "also check all data for consistency, which takes longer the more there is",
    },
    json: 'print an array of {"check", "result", "message"}, with "faults" where --verify finds any',
    examples: ["inkstone doctor", "inkstone doctor --verify"],
    note: "Exit code 1 when a check fails; warnings alone are 0.",
  },
  async ({ verify = false }: { verify?: boolean }, called) => {
    const progress = startProgress(called);
    progress.show(step("Checking"));
    const onCheck: OnCheck = (check, { number, of }) =>
      progress.show(step(`Checking ${number} of ${of}: ${check}`));
    const findings = await examine({ verify, onCheck }).finally(progress.end);
    printResult(called, findings, () => findings.flatMap(toLines).join("\n"));
    if (findings.some(({ result }) => result === "fail")) process.exitCode = 1;
  },
);

async function examine(options: DatabaseOptions): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    const message = toSentence(error).replaceAll(/\s*\n\s*/g, " ");
    return [{ check: "configuration", result: "fail", message }];
  }
  return [checkVariables(), ...(await checkProcesses(config)), ...(await checkDatabase(config, options))];
}

function checkVariables(): Finding {
  const misspelt = misspeltVariables();
  const found = misspelt.length === 0 ? ok("No misspelt setting.") : warn(misspelt.join(" "));
  return { check: "configuration", ...found };
}

const toLines = ({ check, result, message, faults = [] }: Finding): string[] => [
  `${result.padEnd(4)}  ${check}: ${message}`,
  ...faults.map((fault) => `        ${fault}`),
];

const OLDEST_NODE = "20.19";
const LOW_BYTES = 100_000_000;
const LITTLE_BYTES = 1_000_000_000;

async function checkProcesses(config: Config): Promise<Finding[]> {
  const processes = await runningProcesses(config);
  const servers = processes.filter(({ parent }) => parent === undefined);
  const findings: Finding[] = [];
  for (const server of servers)
    findings.push(
      { check: "server", ...checkServer(server, config) },
      ...checkWorkers(processes.filter(({ parent }) => parent === server.pid)),
      ...(await checkProcess(server)),
      await examineOne("parameters", () => checkParameters(server, config)),
    );
  if (servers.length > 0) return findings;
  const none = `None runs with DATA_DIR ${config.dataDir}: these are the settings of this command.`;
  const command = { config, node: process.versions.node, uid: process.getuid?.() };
  return [{ check: "server", ...ok(none) }, ...(await checkProcess(command))];
}

function checkWorkers(workers: RunningServer[]): Finding[] {
  if (workers.length === 0) return [];
  const names = workers.map(({ pid, version, config: { role } }) => `${role} ${pid} (${version})`);
  return [{ check: "workers", ...ok(`${names.join(", ")}.`) }];
}

function checkServer({ pid, since, version, database }: RunningServer, config: Config): Outcome {
  const running = `Inkstone ${version} runs with the pid ${pid} since ${formatTime(since)}`;
  if (database === databaseOf(config)) return ok(`${running}: these are its settings.`);
  return warn(
    `${running} on the database ${database}, but this command looks at ${databaseOf(config)}: run it with the server's DATABASE_URL.`,
  );
}

export async function checkProcess(
  examined: Pick<RunningServer, "config" | "node" | "uid">,
): Promise<Finding[]> {
  const { config, node, uid } = examined;
  return [
    { check: "node", ...checkNode(node) },
    { check: "account", ...checkAccount(uid) },
    { check: "address", ...checkAddress(config) },
    { check: "health checks", ...checkHealthToken(config) },
    { check: "outbound requests", ...checkOutbound(config) },
    await examineOne("disk", () => checkDisk(config)),
  ];
}

export function checkNode(version: string): Outcome {
  const isOld = version.localeCompare(OLDEST_NODE, "en", { numeric: true }) < 0;
  return isOld ? fail(`Node.js ${version}: install ${OLDEST_NODE} or newer.`) : ok(`Node.js ${version}.`);
}

function checkAccount(uid: number | undefined): Outcome {
  if (uid !== 0) return ok("An ordinary user.");
  return warn("The process runs as root: give it a user of its own, which limits the damage of a fault.");
}

export function checkAddress(config: Pick<Config, "host" | "baseUrl" | "trustProxy">): Outcome {
  const { host, baseUrl, trustProxy } = config;
  const isLocal = isLoopback(new URL(baseUrl).hostname);
  if (!isLoopback(host) && isLocal)
    return warn(`HOST is ${host}, but BASE_URL is ${baseUrl}: set BASE_URL to its public address.`);
  if (!isLocal && baseUrl.startsWith("http:"))
    return warn(`BASE_URL is ${baseUrl}: put a proxy with TLS in front and use https.`);
  if (!isLocal && isLoopback(host) && trustProxy.length === 0)
    return warn(
      "A proxy must be in front of this server: set TRUST_PROXY to its address, because limits count by client address.",
    );
  return ok(`Listens on ${host}, known as ${baseUrl}.`);
}

function checkHealthToken({ host, healthCheckToken }: RunningServer["config"]): Outcome {
  if (healthCheckToken) return ok("Respond to requests with HEALTH_CHECK_TOKEN.");
  if (isLoopback(host)) return ok("Respond only to this computer.");
  return warn("Monitors on other computers are refused: set HEALTH_CHECK_TOKEN.");
}

export function checkOutbound(config: Pick<Config, "allowPrivateNetwork" | "baseUrl">): Outcome {
  const { allowPrivateNetwork, baseUrl } = config;
  if (!allowPrivateNetwork) return ok("Go only to public addresses.");
  const message =
    "ALLOW_PRIVATE_NETWORK is true, so they also go to this computer and its network, over http and to any port";
  if (!baseUrl.startsWith("https:")) return ok(`${message}.`);
  return warn(`${message}: remove it from a public site.`);
}

const PATIENCE_MS = 3_000;
const LINE = /^inkstone_misspelt_parameters_total\{operation="(\w+)",parameter="(\w+)"\} (\d+)$/gm;

/** Query parameters that clients misspell, as the metrics of a running server count them. */
async function checkParameters(server: Pick<RunningServer, "config">, { metricsToken: token }: Config) {
  const response = await fetch(`${addressOf(server.config)}/metrics`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await response.text();
  if (!response.ok)
    return warn(
      `The server's /metrics responds with ${response.status}: run this command with the server's METRICS_TOKEN.`,
    );
  const names = [...text.matchAll(LINE)].map(
    ([, operation, parameter, count]) =>
      `${parameter} of ${operation} (${count} ${count === "1" ? "spelling" : "spellings"})`,
  );
  if (names.length === 0) return ok("No client has sent a misspelt one since the server's start.");
  return warn(
    `Clients misspell ${names.join(", ")}, and the server ignores these. Its log names them: search it for "unknown parameter".`,
  );
}

async function checkDisk(config: RunningServer["config"]): Promise<Outcome> {
  const isEmbedded = config.databaseUrl === undefined;
  // A link for a root user's database elsewhere.
  let folder = isEmbedded ? join(config.dataDir, "postgres") : config.dataDir;
  while (!existsSync(folder)) folder = dirname(folder);
  const floor = isEmbedded ? config.minFreeDiskBytes : 0;
  return judgeRoom(await freeBytesOf(folder), folder, floor);
}

export function judgeRoom(free: number, folder: string, floor: number): Outcome {
  const rule =
    floor === 0 ? "" : `; a server refuses writes below ${sizeOf(floor)} (MIN_FREE_DISK_MEGABYTES)`;
  const amount = `${sizeOf(free)} free in ${folder}${rule}`;
  if (free < Math.max(floor, LOW_BYTES)) return fail(`${amount}: free space, or writes will fail.`);
  if (free < floor + LITTLE_BYTES) return warn(`${amount}: free space soon.`);
  return ok(`${amount}.`);
}

function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "");
  return name === "localhost" || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}
