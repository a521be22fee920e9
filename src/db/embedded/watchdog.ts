import type { ChildProcess } from "node:child_process";
import type { Duplex } from "node:stream";

export const WATCHDOG = "inkstone-watchdog";

/**
 * Becomes PostgreSQL after forking the watchdog, so that no moment is unwatched. The watchdog is not PostgreSQL's
 * child, so that its end does not look like the crash of a backend. It waits on file descriptor 3, whose other end
 * only this Node process has. When it closes without a message, Node is gone, and PostgreSQL is shut down: cleanly
 * within a second, or else immediately.
 */
export const LAUNCH = `guard() {
  trap "" HUP INT TERM
  read -r word <&3
  [ -n "$word" ] && exit 0
  kill -INT "$1"
  n=0
  while [ $n -lt 10 ] && kill -0 "$1"; do sleep 0.1; n=$((n + 1)); done
  kill -QUIT "$1"
}
( guard $$ </dev/null >/dev/null 2>&1 & )
exec "$@" 3>&-`;

/** Returns how to end the watchdog once PostgreSQL has ended. */
export function keepWatched(postgres: ChildProcess): () => void {
  const line = postgres.stdio[3] as Duplex & { unref(): void };
  line.unref();
  line.resume().on("error", () => {});
  return () => void line.end("release\n");
}
