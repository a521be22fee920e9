import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The embedded PostgreSQL cannot serve. The message names the fault and its remedy. */
export class EngineError extends Error {
  override readonly name = "EngineError";
}

export interface Account {
  uid: number;
  gid: number;
}

const SUPERUSER = 0;

export const isRoot = (): boolean => process.getuid?.() === SUPERUSER;

/** PostgreSQL refuses root, so root runs it as the owner of the data, or else as an unprivileged account. */
export function chooseAccount(dataDir: string): Account {
  if (!isRoot()) return { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
  for (const directory of [join(dataDir, "postgres"), dataDir]) {
    const owner = statSync(directory, { throwIfNoEntry: false });
    if (owner && owner.uid !== SUPERUSER) return { uid: owner.uid, gid: owner.gid };
  }
  const accounts = readPasswd();
  const account = accounts.get("postgres") ?? accounts.get("nobody");
  if (account) return account;
  throw new EngineError(
    "PostgreSQL does not run as root and /etc/passwd has neither postgres nor nobody: add one of them, or start Inkstone as an ordinary user.",
  );
}

export function nameOf(uid: number): string {
  for (const [name, account] of readPasswd()) if (account.uid === uid) return name;
  return String(uid);
}

function readPasswd(): Map<string, Account> {
  const accounts = new Map<string, Account>();
  const text = existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8") : "";
  for (const line of text.split("\n")) {
    const [name = "", , uid, gid] = line.split(":");
    if (gid !== undefined) accounts.set(name, { uid: Number(uid), gid: Number(gid) });
  }
  return accounts;
}

/** PGDATA, LC_ALL or LD_PRELOAD of this process must not reach PostgreSQL. */
const ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" };

/** Options for `spawn` that run a program as `account` from a directory open to all. */
export const runAs = (account: Account) => ({ cwd: "/", env: ENVIRONMENT, ...(isRoot() ? account : {}) });

export function canEnter(directory: string, account: Account): boolean {
  const options = { ...runAs(account), stdio: "ignore" as const };
  return spawnSync("/bin/sh", ["-c", 'cd -- "$1"', "sh", directory], options).status === 0;
}
