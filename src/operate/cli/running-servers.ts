import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import { type Config, VERSION } from "../../platform/config.ts";
import { isAlive } from "../../platform/db/embedded/lock.ts";
import { startOf } from "../../platform/db/embedded/processes.ts";
import { makeFolders } from "../../platform/folders.ts";
import { parseUrl } from "../../platform/text/urls.ts";

/** A server may run with other settings than `doctor`. */
export type RunningServer = ReturnType<typeof describeProcess>;

const folderOf = ({ dataDir }: Pick<Config, "dataDir">) => join(dataDir, "servers");

const hide = (secret: string | undefined): string | undefined => secret && "set";

function describeProcess(config: Config, now: Date, parent: number | undefined) {
  const { role, host, port, baseUrl, trustProxy, dataDir, minFreeDiskBytes, allowPrivateNetwork } = config;
  const open = { role, host, port, baseUrl, trustProxy, dataDir, minFreeDiskBytes, allowPrivateNetwork };
  const [databaseUrl, healthCheckToken] = [config.databaseUrl, config.healthCheckToken].map(hide);
  return {
    pid: process.pid,
    parent,
    startedAt: startOf(process.pid),
    since: now.toISOString(),
    version: VERSION,
    node: process.versions.node,
    uid: process.getuid?.(),
    database: databaseOf(config),
    config: { ...open, databaseUrl, healthCheckToken },
  };
}

export async function noteServer(config: Config, now: Date, parent?: number): Promise<() => Promise<void>> {
  const folder = folderOf(config);
  makeFolders(folder, 0o755);
  for (const note of await readNotes(folder)) if (!isAlive(note.server)) await rm(note.file, { force: true });
  const file = join(folder, `${process.pid}.json`);
  await writeFile(file, JSON.stringify(describeProcess(config, now, parent)), { mode: 0o600 });
  return () => rm(file, { force: true });
}

/** Those of a killed server are left out, which leaves its note. */
export async function runningProcesses(config: Config): Promise<RunningServer[]> {
  const notes = await readNotes(folderOf(config));
  return notes.map(({ server }) => server).filter(isAlive);
}

async function readNotes(folder: string): Promise<{ file: string; server: RunningServer }[]> {
  const names = await readdir(folder).catch(() => []);
  const notes = [];
  for (const name of names.toSorted((one, other) => one.localeCompare(other))) {
    const file = join(folder, name);
    const text = await readFile(file, "utf8").catch(() => "");
    // Another process may be writing it.
    if (text.endsWith("}")) notes.push({ file, server: JSON.parse(text) as RunningServer });
  }
  return notes;
}

export function databaseOf({ databaseUrl }: Pick<Config, "databaseUrl">): string {
  if (databaseUrl === undefined) return "the embedded PostgreSQL";
  const { host = "", pathname = "", searchParams } = parseUrl(databaseUrl) ?? {};
  return `${host || searchParams?.get("host")}${pathname}`;
}

/** Where this computer reaches a server, which may listen on all addresses. */
export function addressOf({ host, port }: Pick<Config, "host" | "port">): string {
  const reachable: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
  const name = reachable[host] ?? host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}
