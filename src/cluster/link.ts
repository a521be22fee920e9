import { EventEmitter } from "node:events";
import type { Worker } from "node:cluster";
import type { Channel, Message } from "../channel.ts";

/** The channel of a worker to its parent. */
export function linkToParent(): Channel {
  return link(process, (message) => process.connected && process.send?.(message, undefined, {}, () => {}));
}

/** The channel of the parent to a worker. */
export function linkToWorker(worker: Worker): Channel {
  return link(worker, (message) => worker.isConnected() && worker.send(message, () => {}));
}

/** A message to a process that ends just now is lost, which its `closed` tells. */
function link(
  other: Pick<Worker | typeof process, "on" | "once">,
  send: (message: Message) => unknown,
): Channel {
  const heard = new EventEmitter().setMaxListeners(0);
  const closed = new AbortController();
  other.on("message", (message: Message) => void heard.emit(message.kind, message));
  // Node doesn't tell the disconnect of every worker that is killed.
  for (const end of ["disconnect", "exit"]) other.once(end, () => closed.abort());
  return {
    send,
    onMessage<M extends Message>(kind: M["kind"], listener: (message: M) => void) {
      heard.on(kind, listener);
      return () => void heard.off(kind, listener);
    },
    closed: closed.signal,
  };
}
