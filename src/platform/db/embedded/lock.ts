import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { exists, startOf } from "./processes.ts";

export type HolderKind = "server" | "command";

export interface Holder {
  pid: number;
  /** Tells the process from a later one with the same number. */
  startedAt: string | undefined;
  kind: HolderKind;
}

export type Lock = Exclude<ReturnType<typeof takeLock>, Holder>;

const FILE = /^engine\.lock\.(\d+)$/;

/**
 * Takes the lock of a directory, or returns its holder: the living process that `engine.lock.<number>` with the highest
 * number names. To take the lock is to add the next number, which one process alone can do; a process that finds a
 * higher number afterwards has come too late. The highest file is never removed, so numbers only grow.
 */
export function takeLock(directory: string, kind: HolderKind): Holder | { release: () => void } {
  for (;;) {
    // Reads before it writes: commands still join a running server on a full disk.
    const last = lastIn(directory);
    const holder = holderOf(directory, last);
    if (holder) return holder;
    const mine = last + 1;
    if (!add(directory, mine, { pid: process.pid, startedAt: startOf(process.pid), kind })) continue;
    const isTaken = lastIn(directory) === mine;
    for (const number of numbersIn(directory))
      if (isTaken ? number < mine : number === mine) fs.rmSync(fileOf(directory, number), { force: true });
    const file = fileOf(directory, mine);
    if (isTaken) return { release: () => void (fs.existsSync(file) && fs.truncateSync(file)) };
  }
}

const lastIn = (directory: string): number => Math.max(0, ...numbersIn(directory));

const numbersIn = (directory: string): number[] =>
  fs.readdirSync(directory).flatMap((name) => FILE.exec(name)?.slice(1).map(Number) ?? []);

const fileOf = (directory: string, number: number): string => join(directory, `engine.lock.${number}`);

/** Linked from a draft, so that no process reads half of it. */
function add(directory: string, number: number, holder: Holder): boolean {
  const draft = join(directory, `engine.lock.draft-${randomUUID()}`);
  fs.writeFileSync(draft, JSON.stringify(holder), { mode: 0o644 });
  try {
    fs.linkSync(draft, fileOf(directory, number));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

export function isAlive({ pid, startedAt }: Pick<Holder, "pid" | "startedAt">): boolean {
  if (!exists(pid)) return false;
  const now = startOf(pid);
  return now === undefined ? isHidden() : startedAt === undefined || now === startedAt;
}

/** Some systems hide other accounts' processes in /proc; an existing process then counts as the holder. */
const isHidden = (): boolean => startOf(1) === undefined;

/** Undefined also for an empty file: its holder released it, or a power cut emptied it. */
export function holderOf(directory: string, number = lastIn(directory)): Holder | undefined {
  try {
    const holder = JSON.parse(fs.readFileSync(fileOf(directory, number), "utf8")) as Holder;
    return isAlive(holder) ? holder : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
