import { execFile } from "node:child_process";
import { join } from "node:path";
import { connectionTo } from "./database.ts";

const PROGRAM = join(import.meta.dirname, "..", "src", "cli.ts");
export const TSX = ["--import", import.meta.resolve("tsx")];

/** How the program's DATABASE_URL names a database of the test server. */
export function urlOf(name: string): string {
  const { connectionString, host, port, user } = connectionTo(name);
  return (
    connectionString ?? `postgres:///${name}?host=${encodeURIComponent(host ?? "")}&port=${port}&user=${user}`
  );
}

export interface Outcome {
  code: number;
  out: string;
  err: string;
}

export interface Surroundings {
  cwd: string;
  env: Record<string, string>;
  /** What stands on standard input. */
  input?: string;
}

/** Runs the program to its end as a person would, with these settings and no others. */
export function runProgram(args: string[], { cwd, env, input }: Surroundings): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...TSX, PROGRAM, ...args], { cwd, env }, (error, out, err) => {
      // A program that a signal ended has no code.
      const code = typeof error?.code === "number" ? error.code : -1;
      resolve({ code: error ? code : 0, out, err });
    });
    if (input !== undefined) child.stdin?.end(input);
  });
}
