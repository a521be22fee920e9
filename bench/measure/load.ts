/** GET requests that differ in their address only. */
export interface Requests {
  paths: readonly string[];
  headers?: Record<string, string>;
}

export interface Fire {
  connections: number;
  seconds: number;
  /** Looks at the status of every answer, even where that costs the load generator time. */
  checksEvery?: boolean;
}

/** The answers of one round. */
export interface Load {
  answers: number;
  seconds: number;
  /** Heads and bodies. */
  bytes: number;
  /** The time of each answer. */
  milliseconds: number[];
}

/** Requests to one server: each round goes on where the one before it ended. */
export interface Walk {
  /** @throws VoidRun when an answer is missing or has another status than expected */
  fire(round: Fire): Promise<Load>;
  close(): Promise<void>;
}

export interface Target {
  url: string;
  requests: Requests;
  /** The status that every answer must have. */
  status: number;
}

/** A round whose figures say nothing; the run goes on with other lines. */
export class VoidRun extends Error {}
