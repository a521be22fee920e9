import type { ChildProcess } from "node:child_process";
import { closing } from "../kit.ts";
import type { BareOrder } from "./bare.ts";
import { type Answer, capture } from "./http.ts";
import { ask, pidOf, startChild } from "./child.ts";
import type { Server } from "./program.ts";
import { enter, type Pace, type Speed, takeTurns } from "./turns.ts";
import { type Requests, VoidRun } from "./wrk.ts";

export interface Comparison {
  ours: Speed;
  /** Milliseconds that one client alone waits in the middle. */
  alone: number;
  /** The same answers from a server that does nothing else. */
  bare: Speed;
  /** The same pages, turned from objects into text for each request. */
  json: Speed;
}

interface Compared {
  requests: Requests;
  /** The headers with which the answers of the servers to compare with are taken. */
  bareHeaders: Record<string, string>;
  /** The only page of the server that stringifies; without it that server has the same pages. */
  jsonPage?: string | undefined;
  pace: Pace;
}

/** Measures a server beside a bare one and one that only stringifies. */
export function compare(server: Server, compared: Compared): Promise<Comparison> {
  const { requests, bareHeaders, jsonPage, pace } = compared;
  return closing(async (later) => {
    const paths = sample(requests.paths);
    const { status } = await capture(server.baseUrl, paths[0] as string, requests.headers);
    const answers = await captureAll(server.baseUrl, paths, bareHeaders);
    const pages = jsonPage === undefined ? answers : await captureAll(server.baseUrl, [jsonPage], {});
    const start = async (order: BareOrder): Promise<Server> => {
      const child = startChild("./bare.ts");
      later(() => child.kill());
      return serve(child, order);
    };
    const bare = await start({ answers, stringifies: false });
    const json = await start({ answers: pages, stringifies: true });
    const contestants = [
      await enter(server, { requests, status }),
      await enter(bare, { requests, status: 200 }),
      await enter(json, { requests, status: 200 }),
    ];
    for (const { walk } of contestants) later(() => walk.close());
    const { speeds, alone } = await takeTurns(contestants, pace);
    const [ours, ofBare, ofJson] = speeds as [Speed, Speed, Speed];
    return { ours, alone, bare: ofBare, json: ofJson };
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

async function serve(child: ChildProcess, order: BareOrder): Promise<Server> {
  return { baseUrl: `http://127.0.0.1:${await ask<number>(child, order)}`, pid: pidOf(child) };
}
