import { closeSync, openSync, readSync, fstatSync, ftruncateSync, fchownSync } from "node:fs";
import { isRoot, type Account } from "./account.ts";

/** PostgreSQL's own log, which is emptied when it grows over a megabyte. */
export interface LogFile {
  handle: number;
  /** What was written since `mark` was last called. */
  news(): string;
  mark(): void;
  close(): void;
}

const MAX_BYTES = 1024 * 1024;
const CHECK_MILLISECONDS = 60_000;

export function openLogFile(path: string, account: Account): LogFile {
  const handle = openSync(path, "a+", 0o600);
  if (isRoot()) fchownSync(handle, account.uid, account.gid);
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
