import { spawnSync } from "node:child_process";
import { isRoot, type Account } from "./account.ts";

/** PostgreSQL sees nothing of our environment: PGDATA, LC_ALL or LD_PRELOAD must not change what it does. */
const ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" };

/** Options for `spawn` that run a program as `account` from a directory that everybody can enter. */
export function runAs(account: Account) {
  return { cwd: "/", env: ENVIRONMENT, ...(isRoot() ? account : {}) };
}

export function canEnter(directory: string, account: Account): boolean {
  const options = { ...runAs(account), stdio: "ignore" as const };
  return spawnSync("/bin/sh", ["-c", 'cd -- "$1"', "sh", directory], options).status === 0;
}
