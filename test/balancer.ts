import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, untilListening } from "./free-port.ts";

// Debian has it where only administrators look for programs.
const env = { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin` };

export const HAS_BALANCER = spawnSync("haproxy", ["-v"], { env }).status === 0;

/** The configuration of the documents. */
export const BALANCER_FILE = join(import.meta.dirname, "../docs/run/haproxy.cfg");

/** What HAProxy says of a configuration; empty when it is valid. */
export function faultsOfBalancer(file: string): string {
  const { status, stderr } = spawnSync("haproxy", ["-c", "-f", file], { env, encoding: "utf8" });
  return status === 0 ? "" : stderr || `exit code ${status}`;
}

export interface Balancer {
  url: string;
  stop(): Promise<void>;
}

/** Starts HAProxy with the configuration of the documents in front of two servers on this computer. */
export async function startBalancer(ports: readonly [number, number]): Promise<Balancer> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "inkstone-balancer-"));
  const file = join(folder, "haproxy.cfg");
  const [one, two] = ports;
  const text = (await readFile(BALANCER_FILE, "utf8"))
    .replace("bind :80", `bind 127.0.0.1:${port}`)
    .replaceAll("10.0.0.11:3000", `127.0.0.1:${one}`)
    .replaceAll("10.0.0.12:3000", `127.0.0.1:${two}`);
  await writeFile(file, text);
  const child = spawn("haproxy", ["-db", "-q", "-f", file], { stdio: "ignore", env });
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true });
  };
  if (!(await untilListening(port, child))) {
    const faults = faultsOfBalancer(file);
    await stop();
    throw new Error(`HAProxy does not start: ${faults}`);
  }
  return { url: `http://127.0.0.1:${port}`, stop };
}
