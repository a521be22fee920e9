import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Later } from "../kit.ts";
import type { Server } from "./program.ts";

/** Starts one of the processes of this folder, by this Node.js or another one. */
export function startChild(file: string, execPath = process.execPath): ChildProcess {
  const path = new URL(file, import.meta.url);
  const execArgv = ["--import", import.meta.resolve("tsx")];
  return fork(path, { execPath, execArgv, serialization: "advanced" });
}

/** Starts one that serves, and sends its port when it does. */
export async function startServer(later: Later, file: string, order: object, node?: string): Promise<Server> {
  const child = startChild(file, node);
  later(() => child.kill());
  return { baseUrl: `http://127.0.0.1:${await ask<number>(child, order)}`, pid: child.pid as number };
}

/** Sends a message and gives the one that comes back. */
export async function ask<Reply>(child: ChildProcess, message: object): Promise<Reply> {
  const ended = new AbortController();
  const end = () => ended.abort(new Error("A process of the bench ended before it responded."));
  child.once("exit", end);
  try {
    const reply = once(child, "message", { signal: ended.signal });
    child.send(message);
    const [answer] = (await reply) as [Reply];
    return answer;
  } finally {
    child.off("exit", end);
  }
}
