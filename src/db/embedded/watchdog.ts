/** The watchdog's name in a list of processes. */
export const WATCHDOG = "inkstone-watchdog";

/** What is written on the line when PostgreSQL has ended and its number must not be signalled any more. */
export const RELEASE = "release\n";

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
export const WATCH = `${GUARD}
guard "$1" 2>/dev/null`;
