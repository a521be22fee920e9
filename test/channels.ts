import type { Channel, Message } from "../src/channel.ts";

/** A link between a parent and a worker in one process. Messages arrive in order, `delayMs` after they are sent. */
export function createChannels(delayMs: () => number = () => 0) {
  const closed = new AbortController();
  const [parent, worker] = [createEnd(closed.signal), createEnd(closed.signal)];
  const connect = (from: End, to: End): Channel => ({
    ...from.channel,
    send(message) {
      const text = JSON.stringify(message);
      from.arrivesAt = Math.max(from.arrivesAt, performance.now() + delayMs());
      setTimeout(() => to.hear(JSON.parse(text) as Message), from.arrivesAt - performance.now());
    },
  });
  return {
    /** The parent's end. */
    worker: connect(parent, worker),
    /** The worker's end. */
    parent: connect(worker, parent),
    close: () => closed.abort(),
  };
}

type End = ReturnType<typeof createEnd>;

function createEnd(closed: AbortSignal) {
  const listeners = new Set<[kind: string, listener: (message: never) => void]>();
  return {
    arrivesAt: 0,
    hear(message: Message): void {
      for (const [kind, listener] of listeners) if (kind === message.kind) listener(message as never);
    },
    channel: {
      closed,
      onMessage<M extends Message>(kind: M["kind"], listener: (message: M) => void) {
        const entry: [string, (message: never) => void] = [kind, listener];
        listeners.add(entry);
        return () => void listeners.delete(entry);
      },
    },
  };
}
