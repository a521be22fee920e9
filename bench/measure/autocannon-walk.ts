import { availableParallelism } from "node:os";
import { ask, startChild } from "./child.ts";
import { type Fire, type Load, type Target, VoidRun, type Walk } from "./load.ts";

/** The part of a round that one process does. */
export interface Order {
  url: string;
  /** Asked in turn, over and over. */
  paths: string[];
  headers: Record<string, string>;
  connections: number;
  seconds: number;
}

export interface Report extends Load {
  /** How many answers had each status. */
  statuses: Record<string, number>;
  /** Requests without an answer. */
  missing: number;
  /** By one connection, the request included that the end of the round cut off. */
  mostAsked: number;
}

/** One process with autocannon is slower than the server it asks. */
const PROCESSES = Math.max(2, availableParallelism());

export async function openAutocannonWalk(target: Target): Promise<Walk> {
  const children = Array.from({ length: PROCESSES }, () => startChild("./autocannon-process.ts"));
  let first = 0;
  return {
    async fire(round) {
      const working = children.slice(0, round.connections);
      const orders = working.map((_, part) => orderOf(target, round, { first, part, parts: working.length }));
      const reports = await Promise.all(
        working.map((child, part) => ask<Report>(child, orders[part] as Order)),
      );
      first += placesOf(working.length, round, Math.max(...reports.map(({ mostAsked }) => mostAsked)));
      return combine(target, reports);
    },
    async close() {
      for (const child of children) child.kill();
    },
  };
}

/** The addresses up to the last one that any connection has asked for. */
function placesOf(processes: number, { connections }: Fire, mostAsked: number): number {
  return processes * Math.ceil(connections / processes) * mostAsked;
}

interface Part {
  first: number;
  part: number;
  parts: number;
}

function orderOf(
  { url, requests }: Target,
  { connections, seconds }: Fire,
  { first, part, parts }: Part,
): Order {
  const { paths, headers = {} } = requests;
  const start = first % paths.length;
  const inTurn = [...paths.slice(start), ...paths.slice(0, start)];
  const own = inTurn.filter((_, place) => place % parts === part);
  const share = Math.floor(connections / parts) + (part < connections % parts ? 1 : 0);
  return { url, paths: own.length > 0 ? own : inTurn, headers, connections: share, seconds };
}

function combine({ url, status }: Target, reports: Report[]): Load {
  const sum = (figure: (report: Report) => number) =>
    reports.reduce((total, report) => total + figure(report), 0);
  const missing = sum((report) => report.missing);
  const wrong = reports
    .flatMap(({ statuses }) => Object.keys(statuses))
    .filter((one) => Number(one) !== status);
  if (missing > 0 || wrong.length > 0) {
    throw new VoidRun(
      `${url} left ${missing} requests without a response and gave responses with the statuses ${wrong.join(", ") || status}`,
    );
  }
  return {
    answers: sum(({ answers }) => answers),
    seconds: sum(({ seconds }) => seconds) / reports.length,
    bytes: sum(({ bytes }) => bytes),
    milliseconds: reports.flatMap(({ milliseconds }) => milliseconds),
  };
}
