import { randomBytes } from "node:crypto";
import { open, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { unavailable } from "../errors.ts";
import { poll } from "../jobs/poll.ts";

/** Parts of the floor. The smallest ballast holds two segments of the write-ahead log. */
const BALLAST = 1 / 2;
const NEARLY_FULL = 1 / 4;
/** Writes are accepted again above the floor, so that they aren't refused and accepted in turn. */
const ROOM_AGAIN = 9 / 8;
const LOOK_MS = 1_000;

/** The disk of the embedded database. An unwatched one has room. A floor of 0 refuses no write. */
export function createDisk(floorBytes: number, lookMs = LOOK_MS) {
  let hasRoom = true;
  let freeBytes: number | undefined;
  let onLook: (() => void) | undefined;
  const ballastIn = (directory: string) => ballastAt(join(directory, "ballast"), floorBytes * BALLAST);
  const isNearlyFull = (free: number) => free < floorBytes * NEARLY_FULL;

  async function look(directory: string, log: (line: string) => void): Promise<void> {
    const free = (freeBytes = await freeBytesOf(directory));
    const ballast = ballastIn(directory);
    const hadRoom = hasRoom;
    hasRoom = free >= floorBytes * (hadRoom ? 1 : ROOM_AGAIN);
    onLook?.();
    if (hasRoom !== hadRoom) log(sentenceOf(hasRoom, `${sizeOf(free)} free in ${directory}`, floorBytes));
    if (!isNearlyFull(free) || !(await ballast.exists())) return;
    await ballast.remove();
    log(`The disk is nearly full, so the ballast of ${sizeOf(ballast.bytes)} is removed: reads go on.`);
  }

  async function renewBallast(directory: string, signal: AbortSignal): Promise<void> {
    const ballast = ballastIn(directory);
    const isRoom = (freeBytes ?? 0) >= floorBytes * ROOM_AGAIN + ballast.bytes;
    if (isRoom && !(await ballast.exists())) await ballast.make(signal);
  }

  return {
    floorBytes,
    /** False below the floor: only reads continue. */
    get hasRoom(): boolean {
      return hasRoom;
    },
    get freeBytes(): number | undefined {
      return freeBytes;
    },
    listen(listener: () => void): void {
      onLook = listener;
    },
    async makeRoom(directory: string) {
      if (isNearlyFull(await freeBytesOf(directory))) await ballastIn(directory).remove();
    },
    /** Checks the disk every second and keeps the ballast there. Returns how to end that. */
    async watch(directory: string, log: (line: string) => void): Promise<() => Promise<void>> {
      if (floorBytes === 0) await ballastIn(directory).remove();
      await look(directory, log);
      if (floorBytes === 0) return async () => {};
      const renew = (signal: AbortSignal) => renewBallast(directory, signal);
      return repeat({ renew, look: () => look(directory, log), log, lookMs });
    },
  };
}

export type Disk = ReturnType<typeof createDisk>;

export type Room = Pick<Disk, "hasRoom" | "freeBytes">;

export const noRoom = () =>
  unavailable(new Error("the disk has less free space than MIN_FREE_DISK_MEGABYTES"));

export async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

export const sizeOf = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : `${Math.floor(bytes / 1e6)} MB`;

function sentenceOf(hasRoom: boolean, amount: string, floorBytes: number): string {
  const floor = `the floor is ${sizeOf(floorBytes)} (MIN_FREE_DISK_MEGABYTES)`;
  if (hasRoom) return `${amount}; ${floor}: writes are accepted again.`;
  return `${amount}; ${floor}: writes are refused until there is room.`;
}

const PAUSE_MS = 60_000;

interface Rounds {
  renew: (signal: AbortSignal) => Promise<void>;
  look: () => Promise<void>;
  log: (line: string) => void;
  lookMs: number;
}

/** Logs a failure once, and pauses renewing after it. */
function repeat({ renew, look, log, lookMs }: Rounds): () => Promise<void> {
  let logged = "";
  let renewAt = 0;
  const poller = poll({
    pauseMs: lookMs,
    async work(signal) {
      if (performance.now() >= renewAt) await renew(signal);
      await look();
    },
    onFailure(error) {
      if (error instanceof Error && error.name === "AbortError") return;
      renewAt = performance.now() + PAUSE_MS;
      if (logged !== String(error)) log(`The disk can't be watched: ${String(error)}`);
      logged = String(error);
    },
  });
  return () => poller.stop();
}

const CHUNK_BYTES = 1024 * 1024;

/** A file that is removed when the disk is full. */
function ballastAt(path: string, bytes: number) {
  const remove = () => rm(path, { force: true });
  return {
    bytes,
    remove,
    async make(signal: AbortSignal) {
      await remove();
      await writeRandom(path, bytes, signal).catch(async (error: unknown) => {
        await remove();
        throw error;
      });
    },
    // Another size: incomplete, or of another setting.
    exists: () => stat(path).then(({ size }) => size === bytes, isMissing),
  };
}

function isMissing(error: NodeJS.ErrnoException): false {
  if (error.code === "ENOENT") return false;
  throw error;
}

/** Random bytes: a compressing file system would reserve nothing for others. */
async function writeRandom(path: string, bytes: number, signal: AbortSignal): Promise<void> {
  const chunk = randomBytes(CHUNK_BYTES);
  const file = await open(path, "wx", 0o600);
  try {
    for (let left = bytes; left > 0; left -= CHUNK_BYTES) {
      signal.throwIfAborted();
      await file.writeFile(chunk.subarray(0, left));
    }
    await file.sync();
  } finally {
    await file.close();
  }
}
