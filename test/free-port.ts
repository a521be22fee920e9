import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { PATIENCE_MS } from "./patience.ts";

/** A port without a listener at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Waits until a program listens there; false when it has ended before that. */
export async function untilListening(port: number, child: ChildProcess): Promise<boolean> {
  const deadline = performance.now() + PATIENCE_MS;
  while (child.exitCode === null && performance.now() < deadline) {
    if (await isListening(port)) return true;
    await sleep(20);
  }
  return false;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
      .once("connect", () => {
        socket.destroy();
        resolve(true);
      })
      .once("error", () => resolve(false));
  });
}
