import type { PoolConfig } from "pg";
import type { Message } from "../channel.ts";

/**
 * From a worker: it hears messages (`joined`); it waits for its database or loads the demo, for as long as it likes
 * (`waiting`). To a worker: the server has been told to stop (`leave`); finish your requests and end (`stop`).
 */
export interface Notice extends Message {
  kind: "joined" | "waiting" | "leave" | "stop";
}

/** To a worker, first of all. */
export interface Start extends Message {
  kind: "start";
  /** The first worker sets the database up, and listens before that. Others listen when they are ready. */
  isFirst: boolean;
  /** Of all workers to the database, at the most. */
  connections: number;
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

/** How an operator comes into the site. */
export interface Access {
  demoKey?: string | undefined;
  /** The path of the page that makes the first admin. */
  setUpPath?: string | undefined;
  /** Paths that sign people of the demo in. */
  signInPaths?: { path: string; username: string; role: string }[];
}

/** From a worker that serves or works. */
export interface Ready extends Message {
  kind: "ready";
  /** Where it listens on this computer; empty for background work. */
  local: string;
  /** For the operator alone. */
  access: Access;
}

/** From a worker that can't start. */
export interface Failed extends Message {
  kind: "failed";
  sentence: string;
}
