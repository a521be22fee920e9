import { closeSync, constants, fchownSync, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";
import { isRoot, type Account } from "./account.ts";

export type LogFile = ReturnType<typeof openLogFile>;

const MAX_BYTES = 1024 * 1024;
const CHECK_MILLISECONDS = 60_000;

/** PostgreSQL's log, emptied when it exceeds a megabyte. */
export function openLogFile(path: string, account: Account) {
  // Root must not follow a link that the account made.
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const handle = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  if (isRoot() && fstatSync(handle).nlink === 1) fchownSync(handle, account.uid, account.gid);
  let start = 0;
  const trim = () => {
    if (fstatSync(handle).size <= MAX_BYTES) return;
    ftruncateSync(handle);
    start = 0;
  };
  trim();
  const timer = setInterval(trim, CHECK_MILLISECONDS).unref();
  return {
    handle,
    mark() {
      start = fstatSync(handle).size;
    },
    /** The text since the last `mark`. */
    news() {
      const text = Buffer.alloc(Math.max(0, fstatSync(handle).size - start));
      readSync(handle, text, 0, text.length, start);
      return text.toString("utf8");
    },
    close() {
      clearInterval(timer);
      closeSync(handle);
    },
  };
}
