import { randomUUID } from "node:crypto";
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exists, startOf } from "./processes.ts";

export type HolderKind = "server" | "command";

export interface Holder {
  pid: number;
  /** Tells the process from a later one with the same number. */
  startedAt: string | undefined;
  kind: HolderKind;
  /** Tells this lock from any other. */
  id: string;
}

export interface Lock {
  release(): void;
}

const NAME = "engine.lock";
const DRAFT = `${NAME}.draft-`;
/** A file that lost its content in a power cut. No process has number 0. */
const DAMAGED: Holder = { pid: 0, startedAt: undefined, kind: "command", id: "damaged" };

/**
 * Takes the lock of a directory, or returns its holder.
 * A dead holder's lock is not removed but succeeded: the process that links `engine.lock.<its id>` may replace it.
 * Linking fails if the name exists, so exactly one process succeeds; if it dies before it is done, it is succeeded in
 * the same way.
 */
export function takeLock(directory: string, kind: HolderKind): Lock | Holder {
  // First without writing: on a full disk, commands still join a running server.
  const root = read(join(directory, NAME));
  const holder = root && lastOf(root, directory);
  if (holder && isAlive(holder)) return holder;
  const mine: Holder = { pid: process.pid, startedAt: startOf(process.pid), kind, id: randomUUID() };
  const draft = join(directory, `${DRAFT}${mine.id}`);
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o644 });
  try {
    return takeWith(mine, draft, directory);
  } finally {
    rmSync(draft, { force: true });
  }
}

function takeWith(mine: Holder, draft: string, directory: string): Lock | Holder {
  const first = join(directory, NAME);
  for (;;) {
    const root = read(first);
    if (root === undefined) {
      if (linkNew(draft, first)) return heldLock(mine, directory);
      continue;
    }
    const last = lastOf(root, directory);
    if (isAlive(last)) return last;
    const claim = successorOf(last, directory);
    if (!linkNew(draft, claim)) continue;
    // The first process to finish a succession replaces the lock, then removes the claims on it.
    if (read(first)?.id !== root.id) {
      rmSync(claim, { force: true });
      continue;
    }
    renameSync(draft, first);
    return heldLock(mine, directory);
  }
}

function heldLock(mine: Holder, directory: string): Lock {
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(`${NAME}.`)) continue;
    const file = join(directory, name);
    if (name.startsWith(DRAFT) && isAlive(read(file) ?? DAMAGED)) continue;
    rmSync(file, { force: true });
  }
  const file = join(directory, NAME);
  return {
    release() {
      if (read(file)?.id === mine.id) rmSync(file, { force: true });
    },
  };
}

function lastOf(root: Holder, directory: string): Holder {
  let last = root;
  for (;;) {
    const next = isAlive(last) ? undefined : read(successorOf(last, directory));
    if (next === undefined) return last;
    last = next;
  }
}

function successorOf(holder: Holder, directory: string): string {
  return join(directory, `${NAME}.${holder.id}`);
}

function isAlive({ pid, startedAt }: Pick<Holder, "pid" | "startedAt">): boolean {
  if (pid <= 0 || !exists(pid)) return false;
  const now = startOf(pid);
  return now === undefined ? isHidden() : startedAt === undefined || now === startedAt;
}

/** Some systems hide other accounts' processes in /proc; an existing process then counts as the holder. */
function isHidden(): boolean {
  return startOf(1) === undefined;
}

function linkNew(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function read(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Holder;
  } catch (error) {
    if (error instanceof SyntaxError) return DAMAGED;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
