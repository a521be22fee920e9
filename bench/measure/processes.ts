import { readdirSync, readFileSync } from "node:fs";

interface Process {
  pid: number;
  parent: number;
  name: string;
  /** Of itself and of its children that have ended. */
  cpuSeconds: number;
}

/** The numbers of the processes that a server consists of. */
interface Tree {
  program: Process[];
  /** The embedded PostgreSQL and all its processes. */
  database: Process[];
}

/** Seconds of processor time so far. */
export interface Cpu {
  program: number;
  database: number;
}

export function cpuOf(pid: number): Cpu {
  const { program, database } = treeOf(pid);
  return { program: total(program), database: total(database) };
}

/**
 * Milliseconds that a server with its PostgreSQL has run, exact enough for a single request: without the threads and
 * processes that have ended.
 */
export function runTimeOf(pid: number): number {
  const { program, database } = treeOf(pid);
  const nanoseconds = [...program, ...database].flatMap((one) =>
    threadsOf(one.pid).map((thread) =>
      Number.parseInt(readProc(`${one.pid}/task/${thread}/schedstat`) || "0", 10),
    ),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

/** None for a process that has ended. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Of the children of this process that have ended, with theirs. */
export function cpuOfEnded(): number {
  return sumOfTimes(readProc("self/stat"), CHILDREN);
}

/** Memory of a server with its embedded PostgreSQL, in MiB; what processes share is counted once (PSS). */
export function memoryOfTree(pid: number): number {
  const { program, database } = memoryOfParts(pid);
  return program + database;
}

function memoryOfParts(pid: number): { program: number; database: number } {
  const { program, database } = treeOf(pid);
  return { program: memoryOfAll(program), database: memoryOfAll(database) };
}

function memoryOfAll(processes: readonly Process[]): number {
  return processes.reduce((sum, { pid }) => sum + memoryOf(pid), 0);
}

/** The children of a server's process, with their memory in MiB, the largest first. */
export function workersOf(pid: number): { pid: number; memory: number }[] {
  const children = treeOf(pid).program.filter(({ parent }) => parent === pid);
  const workers = children.map((child) => ({ pid: child.pid, memory: memoryOf(child.pid) }));
  return workers.toSorted((one, other) => other.memory - one.memory);
}

/** Of one process. */
export function memoryOf(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(readProc(`${pid}/smaps_rollup`))?.[1] ?? 0) / 1024;
}

const EVERY_MS = 250;

/** The most memory in MiB: of a program with its PostgreSQL, and without it. */
export interface MostMemory {
  all: number;
  own: number;
}

/** Watches the memory of a process with its PostgreSQL; the result ends the watch and gives the most that was seen. */
export function watchMemory(pid: number): () => MostMemory {
  const most: MostMemory = { all: 0, own: 0 };
  const timer = setInterval(() => {
    const { program, database } = memoryNow(pid);
    most.all = Math.max(most.all, program + database);
    most.own = Math.max(most.own, program);
  }, EVERY_MS);
  return () => {
    clearInterval(timer);
    return most;
  };
}

/** Nothing when the process has ended, and where there is no /proc. */
function memoryNow(pid: number): { program: number; database: number } {
  try {
    return memoryOfParts(pid);
  } catch {
    return { program: 0, database: 0 };
  }
}

/** @throws Error on a computer whose processes can't be measured */
export function checkProcesses(): void {
  if (readProc("self/smaps_rollup") !== "") return;
  throw new Error("Processor time and memory are read from /proc, so this bench runs on Linux only.");
}

/** @throws Error when the server doesn't run an embedded PostgreSQL, whose part must be known */
export function checkServer(pid: number): void {
  if (treeOf(pid).database.length > 0) return;
  throw new Error(`Process ${pid} runs no embedded PostgreSQL: start it without DATABASE_URL.`);
}

function treeOf(root: number): Tree {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const processes = all.flatMap(readProcess);
  const tree: Tree = { program: [], database: [] };
  const add = (one: Process, isDatabase: boolean): void => {
    const part = isDatabase || one.name === "postgres" ? "database" : "program";
    tree[part].push(one);
    for (const child of processes) if (child.parent === one.pid) add(child, part === "database");
  };
  const first = processes.find(({ pid }) => pid === root);
  if (!first) throw new Error(`There is no process ${root}.`);
  add(first, false);
  return tree;
}

/** Linux counts in hundredths of a second on every processor. */
const TICKS_A_SECOND = 100;

/** The times are the fields 14 to 17 of proc(5), which begin with the state of the process here. */
const ALL = [11, 15] as const;
const CHILDREN = [13, 15] as const;

function sumOfTimes(stat: string, fields: readonly [from: number, to: number]): number {
  const ticks = fieldsOf(stat).slice(...fields);
  return ticks.reduce((sum, field) => sum + Number(field), 0) / TICKS_A_SECOND;
}

/** Those behind the name, which may hold anything. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function readProcess(pid: string): Process[] {
  const stat = readProc(`${pid}/stat`);
  const end = stat.lastIndexOf(")");
  if (end < 0) return [];
  return [
    {
      pid: Number(pid),
      parent: Number(fieldsOf(stat)[1]),
      name: stat.slice(stat.indexOf("(") + 1, end),
      cpuSeconds: sumOfTimes(stat, ALL),
    },
  ];
}

/** Empty for a process that has ended. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch {
    return "";
  }
}

function total(processes: Process[]): number {
  return processes.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
}
