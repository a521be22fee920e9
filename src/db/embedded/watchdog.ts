import { type ChildProcess, spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import type { Account } from "./account.ts";
import { runAs } from "./run-as.ts";

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

/** Watches a PostgreSQL that is running already: $1 is its process number. */
const WATCH = `${GUARD}
guard "$1" 2>/dev/null`;

/** A pause, so that a computer that cannot start processes is not kept busy with trying. */
const NEW_WATCHDOG_MILLISECONDS = 50;

interface Owner {
  account: Account;
  log: (line: string) => void;
}

/** Holds the line to the watchdog of a PostgreSQL; if the watchdog is gone before `release`, there is soon a new one. */
export function keepWatched(postgres: ChildProcess, { account, log }: Owner): { release(): void } {
  let released = false;
  let line = hold(postgres);
  return {
    release() {
      released = true;
      line.end(RELEASE);
    },
  };

  function hold(watched: ChildProcess): Duplex {
    const held = watched.stdio[3] as Duplex & { unref(): void };
    held.unref();
    held.resume();
    held.on("error", () => {});
    held.on("close", () => setTimeout(replace, NEW_WATCHDOG_MILLISECONDS).unref());
    return held;
  }

  function replace(): void {
    if (released) return;
    log("PostgreSQL's watchdog was gone: there is a new one.");
    const watchdog = spawn("/bin/sh", ["-c", WATCH, WATCHDOG, String(postgres.pid)], {
      ...runAs(account),
      stdio: ["ignore", "ignore", "ignore", "pipe"],
      detached: true,
    });
    watchdog.on("error", () => {});
    watchdog.unref();
    line = hold(watchdog);
  }
}
