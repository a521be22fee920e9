import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import type { Channel, Message } from "../channel.ts";

/**
 * The channel of the parent to the process of a worker, or of a worker's own process to the parent. A message to a
 * process that ends just now is lost, which `closed` tells.
 */
export function linkTo(other: ChildProcess | typeof process): Channel {
  const heard = new EventEmitter().setMaxListeners(0);
  const closed = new AbortController();
  other.on("message", (message: Message) => void heard.emit(message.kind, message));
  // Node doesn't tell the disconnect of every worker that is killed.
  for (const end of ["disconnect", "exit"]) other.once(end, () => closed.abort());
  return {
    send: (message) => void (other.connected && other.send?.(message, undefined, {}, () => {})),
    onMessage<M extends Message>(kind: M["kind"], listener: (message: M) => void) {
      heard.on(kind, listener);
      return () => void heard.off(kind, listener);
    },
    closed: closed.signal,
  };
}
