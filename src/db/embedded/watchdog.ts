import { spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type Account, runAs } from "./account.ts";

export const WATCHDOG = "inkstone-watchdog";

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

const ANOTHER = `${GUARD}
guard "$1"`;

interface Guarded {
  pid: number;
  cluster: string;
  account: Account;
  log: (line: string) => void;
}

const PAUSE_MILLISECONDS = 200;

/** Starts another watchdog whenever one ends before `release`: its end closes its socket. */
export function keepGuarded(guarded: Guarded, first: Duplex): { release: () => void } {
  let isReleased = false;
  let current: Duplex;
  const follow = (socket: Duplex) => {
    current = socket;
    (socket as Duplex & { unref(): void }).unref();
    socket.resume().on("error", () => {});
    socket.once("close", () => void replace());
  };
  const replace = async () => {
    if (isReleased) return;
    guarded.log("The watchdog of PostgreSQL has ended: another one is started.");
    await sleep(PAUSE_MILLISECONDS, undefined, { ref: false });
    if (!isReleased) follow(startAnother(guarded));
  };
  follow(first);
  return {
    release() {
      isReleased = true;
      current.end("release\n");
    },
  };
}

function startAnother({ pid, cluster, account }: Guarded): Duplex {
  const child = spawn("/bin/sh", ["-c", ANOTHER, WATCHDOG, String(pid), cluster], {
    ...runAs(account),
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    detached: true,
  });
  child.on("error", () => {});
  child.unref();
  return child.stdio[3] as Duplex;
}
