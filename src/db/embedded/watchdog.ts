import { spawn } from "node:child_process";
import { once } from "node:events";
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
const PAUSE_AFTER_FAILURE_MILLISECONDS = 2_000;

/** Starts another watchdog whenever one ends before `release`: its end closes its socket. */
export function keepGuarded(guarded: Guarded, first: Duplex): { release: () => void } {
  let isReleased = false;
  let current: Duplex;
  const follow = (socket: Duplex) => {
    current = socket;
    (socket as Duplex & { unref(): void }).unref();
    socket.resume().on("error", () => {});
    socket.once("close", () => {
      if (isReleased) return;
      guarded.log("The watchdog of PostgreSQL has ended: another one is started.");
      void replace(PAUSE_MILLISECONDS);
    });
  };
  const replace = async (pause: number) => {
    await sleep(pause, undefined, { ref: false });
    if (isReleased) return;
    try {
      follow(await startAnother(guarded));
      // Released while it started.
      if (isReleased) release();
    } catch (error) {
      guarded.log(`The watchdog of PostgreSQL can't be started, and is tried again: ${String(error)}`);
      void replace(PAUSE_AFTER_FAILURE_MILLISECONDS);
    }
  };
  const release = () => {
    isReleased = true;
    current.end("release\n");
  };
  follow(first);
  return { release };
}

async function startAnother({ pid, cluster, account }: Guarded): Promise<Duplex> {
  const child = spawn("/bin/sh", ["-c", ANOTHER, WATCHDOG, String(pid), cluster], {
    ...runAs(account),
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    detached: true,
  });
  // Node leaves it unset if no file descriptor is free.
  const socket = (child.stdio as typeof child.stdio | undefined)?.[3] as Duplex | undefined;
  child.unref();
  try {
    await once(child, "spawn");
  } catch (error) {
    socket?.destroy();
    throw error;
  }
  child.on("error", () => {});
  return socket as Duplex;
}
