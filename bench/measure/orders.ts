/** A GET request of a measurement. */
export interface Request {
  path: string;
  headers?: Record<string, string>;
}

/** What the process that makes the load is told to do. */
export interface Order {
  url: string;
  /** Asked in turn, over and over. */
  requests: Request[];
  connections: number;
  seconds: number;
}

/** What that process saw. */
export interface Load {
  /** How many answers had each status. */
  statuses: Record<string, number>;
  /** Requests that got no answer. */
  errors: number;
  seconds: number;
  /** How long each answer took. */
  milliseconds: Float64Array;
}

/** An answer as it came over the wire, and as the bare server gives it again. */
export interface Answer {
  status: number;
  /** Names and values in turn. */
  headers: string[];
  body: Uint8Array;
}
