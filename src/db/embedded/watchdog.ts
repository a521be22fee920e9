import { type ChildProcess, spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import { type Account, runAs } from "./account.ts";

/** The watchdog's name in a list of processes. */
export const WATCHDOG = "inkstone-watchdog";

/** What is written on the line when PostgreSQL has ended and its number must not be signalled any more. */
const RELEASE = "release\n";

/**
 * Waits on file descriptor 3, whose other end only this Node process has. When it closes without a word Node is gone,
 * however it went, and PostgreSQL is shut down: cleanly if that takes at most a second, immediately otherwise.
 */
const GUARD = `guard() {
  trap "" HUP INT TERM
  read -r word <&3
  [ -n "$word" ] && exit 0
  kill -INT "$1"
  n=0
  while [ $n -lt 10 ] && kill -0 "$1"; do sleep 0.1; n=$((n + 1)); done
  kill -QUIT "$1"
}`;

/**
 * Becomes PostgreSQL, leaving a watchdog behind. The watchdog is there before PostgreSQL is, so that no moment is
 * unwatched, and is nobody's child, so that PostgreSQL does not take its end for the crash of a backend.
 */
export const LAUNCH = `${GUARD}
( guard $$ </dev/null >/dev/null 2>&1 & )
exec "$@" 3>&-`;

/** Watches a running PostgreSQL: $1 is its process number, and the cluster follows it for the list of processes. */
const WATCH = `${GUARD}
guard "$1" 2>/dev/null`;

/** Keeps a computer that can't start processes from being kept busy by the attempts. */
const PAUSE_MILLISECONDS = 50;

interface Owner {
  cluster: string;
  account: Account;
  log: (line: string) => void;
}

/** Holds the line to the watchdog of a PostgreSQL, and starts another one whenever that ends before `release`. */
export function keepWatched(postgres: ChildProcess, owner: Owner): { release(): void } {
  let released = false;
  let line = postgres.stdio[3] as Duplex;
  hold(line);
  return {
    release() {
      released = true;
      line.end(RELEASE);
    },
  };

  function hold(held: Duplex): void {
    (held as Duplex & { unref(): void }).unref();
    held.resume();
    held.on("error", () => {});
    held.on("close", replaceSoon);
  }

  function replaceSoon(): void {
    setTimeout(replace, PAUSE_MILLISECONDS).unref();
  }

  function replace(): void {
    if (released) return;
    const next = startWatchdog(String(postgres.pid), owner);
    if (next === undefined) return replaceSoon();
    line = next;
    hold(line);
  }
}

/** The line to a new watchdog; undefined where the computer has no memory or file descriptor left for one. */
function startWatchdog(pid: string, { cluster, account, log }: Owner): Duplex | undefined {
  try {
    const watchdog = spawn("/bin/sh", ["-c", WATCH, WATCHDOG, pid, cluster], {
      ...runAs(account),
      stdio: ["ignore", "ignore", "ignore", "pipe"],
      detached: true,
    });
    watchdog.on("error", () => {});
    watchdog.on("spawn", () => log("PostgreSQL's watchdog had ended: a new one watches."));
    watchdog.unref();
    // Without file descriptors Node leaves this out, whatever its types say.
    const stdio = watchdog.stdio as ChildProcess["stdio"] | undefined;
    return stdio?.[3] as Duplex | undefined;
  } catch {
    return undefined;
  }
}
