import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ask, pidOf, startChild } from "./child.ts";
import type { Server } from "./compare.ts";
import type { Fts5Order } from "./fts5.ts";

/** Node.js with an SQLite of its own. */
const NODE = "node@24";

/** Starts a search by SQLite's FTS5 over the same articles as a server has. */
export async function startFts5(order: Fts5Order): Promise<Server & { stop(): void }> {
  const folder = await mkdtemp(join(tmpdir(), "inkstone-bench-"));
  try {
    await promisify(execFile)("npm", ["install", "--prefix", folder, NODE]);
    const child = startChild("./fts5.ts", join(folder, "node_modules/.bin/node"));
    const baseUrl = `http://127.0.0.1:${await ask<number>(child, order)}`;
    return { baseUrl, pid: pidOf(child), stop: () => child.kill() };
  } finally {
    await rm(folder, { recursive: true });
  }
}
