import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import type { PoolConfig } from "pg";

/** `kind` names the part of the program that reads the message. */
export interface Message {
  kind: string;
}

/** One end of the link between a server's parent process and a worker. Messages arrive in order. */
export interface Channel {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a literal may have more than Message names
  send<M extends Message>(message: M): void;
  onMessage<M extends Message>(kind: M["kind"], listener: (message: M) => void): () => void;
  /** Aborted when the other process is gone. */
  closed: AbortSignal;
}

/** A worker sends `joined` and `waiting`; the parent `leave` when the server stops, and `stop`. */
export interface Notice extends Message {
  kind: "joined" | "waiting" | "leave" | "stop";
}

/** The first message of the parent to a worker. */
export interface Start extends Message {
  kind: "start";
  /** The first worker sets the database up, and listens before that. Others listen when they are ready. */
  isFirst: boolean;
  /** The most that all workers open to the database. */
  connections: number;
}

/** The parent sends it when the embedded PostgreSQL runs. */
export interface Connections extends Message {
  kind: "engine";
  connection: PoolConfig;
  owner: PoolConfig;
}

export interface Room extends Message {
  kind: "disk";
  hasRoom: boolean;
  freeBytes: number | undefined;
}

/** How an operator comes into the site. */
export interface Access {
  demoKey?: string | undefined;
  setUpPath?: string | undefined;
  signInPaths?: { path: string; username: string; role: string }[];
}

/** A worker sends it when it serves or works. */
export interface Ready extends Message {
  kind: "ready";
  /** Where it listens on this computer; empty for background work. */
  local: string;
  /** The operator alone may see it. */
  access: Access;
}

/** A worker sends it when it can't start. */
export interface Failed extends Message {
  kind: "failed";
  sentence: string;
}

/** The channel to another process. A message to one that ends just now is lost, which `closed` tells. */
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
