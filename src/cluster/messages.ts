import type { PoolConfig } from "pg";
import type { Message } from "../channel.ts";

/** From a worker that hears messages now. */
export interface Joined extends Message {
  kind: "joined";
}

/** To a worker, first of all. */
export interface Start extends Message {
  kind: "start";
  /** The first worker sets the database up, and listens before that. Others listen when they are ready. */
  isFirst: boolean;
}

/** To a worker, when the embedded PostgreSQL runs. */
export interface Connections extends Message {
  kind: "engine";
  connection: PoolConfig;
  owner: PoolConfig;
}

/** To a worker: the disk of the embedded PostgreSQL. */
export interface Room extends Message {
  kind: "disk";
  hasRoom: boolean;
  freeBytes: number | undefined;
}

/** To a worker, when the server has been told to stop. */
export interface Leave extends Message {
  kind: "leave";
}

/** To a worker, which finishes its requests and ends. */
export interface Stop extends Message {
  kind: "stop";
}

/** From a worker that serves or works. */
export interface Ready extends Message {
  kind: "ready";
  /** Where it listens on this computer; empty for background work. */
  local: string;
  demoKey: string | undefined;
}

/** From a worker that waits for its database, or loads the demo: it may take as long as it likes. */
export interface Waiting extends Message {
  kind: "waiting";
}

/** From a worker that can't start. */
export interface Failed extends Message {
  kind: "failed";
  sentence: string;
}
