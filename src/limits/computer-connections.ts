import type { Channel } from "../channel.ts";
import { type Caps, countConnections, type Excess } from "./connections.ts";

/** A worker's message. */
export interface FromWorker {
  kind: "connections";
  /** No client: a trusted proxy. */
  opened?: [id: number, client: string | null];
  closed?: number;
  /** For how long the longest idle connections have been idle. */
  idleMs?: number[];
  /** How many connections it should have closed that were no longer idle. */
  missed?: number;
}

/** The parent's message. */
export interface FromParent {
  kind: "connections";
  /** The cap that a new connection exceeds, or null. Until then the worker reads nothing of it. */
  verdict?: [id: number, excess: Excess | null];
  /** Asks for so many of the longest idle connections. */
  findIdle?: number;
  closeIdle?: number;
}

/** A new connection for which an idle one must close; undefined where only the idle one must. */
type Newcomer = { worker: Channel; id: number } | undefined;

/** A worker that doesn't tell its idle connections for so long has none to close. */
const PATIENCE_MS = 500;

/** Caps the connections of all workers of this computer; returns how to serve a worker. */
export function capComputerConnections(caps: Caps): (worker: Channel) => void {
  const counts = countConnections(caps);
  const workers = new Set<Channel>();
  const room = createRoom(workers, caps.maxConnections);

  return (worker) => {
    const open = new Map<number, string | undefined>();
    workers.add(worker);
    worker.onMessage<FromWorker>("connections", ({ opened, closed, idleMs, missed = 0 }) => {
      if (opened) {
        const [id, address] = opened;
        const client = address ?? undefined;
        open.set(id, client);
        const excess = counts.open(client);
        if (excess?.cap === "MAX_CONNECTIONS") room.makeFor([{ worker, id }]);
        else tell(worker, { verdict: [id, excess ?? null] });
      }
      if (closed !== undefined) {
        counts.close(open.get(closed));
        open.delete(closed);
      }
      room.makeFor(Array.from({ length: missed }, () => undefined));
      if (idleMs) room.noteIdle(worker, idleMs);
    });
    worker.closed.addEventListener("abort", () => {
      workers.delete(worker);
      for (const client of open.values()) counts.close(client);
      room.noteIdle(worker, []);
    });
  };
}

/** Closes the connections of all workers that have been idle longest, for newcomers. */
function createRoom(workers: Set<Channel>, maxConnections: number) {
  const excess: Excess = { cap: "MAX_CONNECTIONS", allowed: maxConnections };
  let waiting: Newcomer[] = [];
  let newcomers: Newcomer[] = [];
  let idle: { worker: Channel; ms: number }[] = [];
  let asked = new Set<Channel>();

  function askAll(): void {
    if (newcomers.length > 0 || waiting.length === 0) return;
    [newcomers, waiting, idle] = [waiting, [], []];
    const now = (asked = new Set(workers));
    for (const worker of workers) tell(worker, { findIdle: newcomers.length });
    setTimeout(() => {
      for (const worker of now) noteIdle(worker, []);
    }, PATIENCE_MS).unref();
  }

  function noteIdle(worker: Channel, idleMs: number[]): void {
    if (!asked.delete(worker)) return;
    idle.push(...idleMs.map((ms) => ({ worker, ms })));
    if (asked.size > 0) return;
    const leaving = idle.toSorted((one, other) => other.ms - one.ms).slice(0, newcomers.length);
    for (const one of workers) {
      const closeIdle = leaving.filter((connection) => connection.worker === one).length;
      if (closeIdle > 0) tell(one, { closeIdle });
    }
    for (const [index, newcomer] of newcomers.entries())
      if (newcomer) tell(newcomer.worker, { verdict: [newcomer.id, index < leaving.length ? null : excess] });
    newcomers = [];
    askAll();
  }

  return {
    makeFor(more: Newcomer[]): void {
      waiting.push(...more);
      askAll();
    },
    noteIdle,
  };
}

function tell(worker: Channel, message: Omit<FromParent, "kind">): void {
  worker.send<FromParent>({ kind: "connections", ...message });
}
