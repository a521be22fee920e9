import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { closing, type Later } from "../kit.ts";
import type { BareOrder } from "./bare.ts";
import { startServer } from "./child.ts";
import type { Fts5Order } from "./fts5.ts";
import { type Answer, capture } from "./http.ts";
import type { Server } from "./program.ts";
import { type Pace, type Speed, takeTurns } from "./turns.ts";
import { type Requests, VoidRun } from "./wrk.ts";

export interface Comparison {
  ours: Speed;
  /** Milliseconds that one client alone waits in the middle. */
  alone: number;
  /** The same answers from a server that does nothing else. */
  bare: Speed;
  /** The same pages, turned from objects into text for each request. */
  json: Speed;
  /** Search by SQLite's FTS5, for lines that compare with it. */
  fts5?: Speed;
}

interface Compared {
  requests: Requests;
  /** The headers with which the answers of the servers to compare with are taken. */
  bareHeaders: Record<string, string>;
  /** The only page of the server that stringifies; without it that server has the same pages. */
  jsonPage?: string | undefined;
  fts5?: { server: Server; requests: Requests } | undefined;
  pace: Pace;
}

/** Measures a server beside a bare one, one that only stringifies and, for some lines, FTS5. */
export function compare(server: Server, compared: Compared): Promise<Comparison> {
  const { requests, bareHeaders, jsonPage, fts5, pace } = compared;
  return closing(async (later) => {
    const paths = sample(requests.paths);
    const { status } = await capture(server.baseUrl, paths[0] as string, requests.headers);
    const answers = await captureAll(server.baseUrl, paths, bareHeaders);
    const pages = jsonPage === undefined ? answers : await captureAll(server.baseUrl, [jsonPage], {});
    const start = (order: BareOrder) => startServer(later, "./bare.ts", order);
    const entries = [
      { server, requests, status },
      { server: await start({ answers, stringifies: false }), requests, status: 200 },
      { server: await start({ answers: pages, stringifies: true }), requests, status: 200 },
      ...(fts5 ? [{ ...fts5, status: 200 }] : []),
    ];
    const { speeds, alone } = await takeTurns(entries, pace);
    const [ours, bare, json, ofFts5] = speeds as [Speed, Speed, Speed, Speed?];
    return { ours, alone, bare, json, ...(ofFts5 && { fts5: ofFts5 }) };
  });
}

/** The servers to compare with hold this many different answers; more would only fill their memory. */
const SAMPLES = 64;

function sample(paths: readonly string[]): string[] {
  const step = Math.max(1, paths.length / SAMPLES);
  return Array.from({ length: Math.min(SAMPLES, paths.length) }, (_, index) => {
    return paths[Math.floor(index * step)] as string;
  });
}

async function captureAll(
  baseUrl: string,
  paths: string[],
  headers: Record<string, string>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const path of paths) {
    const answer = await capture(baseUrl, path, headers);
    if (answer.status !== 200) throw new VoidRun(`${path} returned ${answer.status}, not 200`);
    answers.push(answer);
  }
  return answers;
}

const WITH_SQLITE = ["exec", "--yes", "--package=node@24", "--", "node", "-p", "process.execPath"];

/** The path of a Node.js with an SQLite of its own. */
export async function nodeWithSqlite(): Promise<string> {
  const { stdout } = await promisify(execFile)("npm", WITH_SQLITE);
  return stdout.trim();
}

/** Starts a search by SQLite's FTS5 over the same articles as a server has. */
export async function startFts5(later: Later, order: Fts5Order): Promise<Server> {
  return startServer(later, "./fts5.ts", order, await nodeWithSqlite());
}
