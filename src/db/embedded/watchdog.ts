import { type ChildProcess, spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import { type Account, runAs } from "./account.ts";

export const WATCHDOG = "inkstone-watchdog";

/** The message that ends the watchdog, because PostgreSQL has ended. */
const RELEASE = "release\n";

/**
 * Waits on file descriptor 3, whose other end only this Node process has. When it closes without a message, Node is
 * gone, and PostgreSQL is shut down: cleanly within a second, or else immediately.
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
 * Becomes PostgreSQL after forking the watchdog, so that no moment is unwatched. The watchdog is not PostgreSQL's
 * child, so that its end does not look like the crash of a backend.
 */
export const LAUNCH = `${GUARD}
( guard $$ </dev/null >/dev/null 2>&1 & )
exec "$@" 3>&-`;

/** The cluster is an argument for the list of processes. */
const WATCH = `${GUARD}
guard "$1" 2>/dev/null`;

/** For a computer that can't start processes. */
const PAUSE_MILLISECONDS = 50;

interface Owner {
  cluster: string;
  account: Account;
  log: (line: string) => void;
}

/** Starts another watchdog whenever one ends before `release`. */
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

/** Undefined where memory or file descriptors are missing. */
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
    // Undefined without file descriptors, whatever the types say.
    const stdio = watchdog.stdio as ChildProcess["stdio"] | undefined;
    return stdio?.[3] as Duplex | undefined;
  } catch {
    return undefined;
  }
}
