import type { Socket } from "node:net";
import type { Channel } from "../channel.ts";
import type { FromParent, FromWorker } from "../limits/computer-connections.ts";
import type { App } from "./app-type.ts";
import {
  type Caps,
  clientReader,
  createCloser,
  idleIn,
  type Open,
  trackActivity,
} from "./connection-caps.ts";

/** Caps the connections of a worker as its parent decides, which knows those of all workers. */
export function capWorkerConnections(app: App, caps: Caps, parent: Channel): Open {
  const activeAt = new WeakMap<Socket, number>();
  const open = trackActivity(app, activeAt);
  const clientOf = clientReader(caps);
  const close = createCloser(app);
  const undecided = new Map<number, Socket>();
  let lastId = 0;

  function tell(message: Omit<FromWorker, "kind">): void {
    parent.send<FromWorker>({ kind: "connections", ...message });
  }

  function longestIdle(count: number): Socket[] {
    const newcomers = new Set(undecided.values());
    return [...idleIn(open, (socket) => newcomers.has(socket))].slice(0, count);
  }

  app.server.on("connection", (socket: Socket) => {
    const id = ++lastId;
    undecided.set(id, socket);
    // What the client sends stays unread. Node resumes in the next tick, however early it is told to pause.
    socket.once("resume", () => void (undecided.has(id) && socket.pause()));
    tell({ opened: [id, clientOf(socket) ?? null] });
    socket.once("close", () => {
      undecided.delete(id);
      tell({ closed: id });
    });
  });

  parent.onMessage<FromParent>("connections", ({ verdict, findIdle = 0, closeIdle = 0 }) => {
    if (verdict) {
      const [id, excess] = verdict;
      const socket = undecided.get(id);
      undecided.delete(id);
      if (excess && socket) close.refused(socket, excess);
      else socket?.resume();
    }
    const now = performance.now();
    if (findIdle > 0)
      tell({ idleMs: longestIdle(findIdle).map((socket) => now - (activeAt.get(socket) ?? now)) });
    const closing = longestIdle(closeIdle);
    for (const socket of closing) close.idle(socket, caps.maxConnections);
    if (closing.length < closeIdle) tell({ missed: closeIdle - closing.length });
  });
  return open;
}
