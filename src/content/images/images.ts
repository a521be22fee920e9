import { AppError, invalid, unavailable } from "../../platform/errors.ts";
import type { Key } from "../../platform/fair-queue.ts";
import { createPool } from "../../platform/jobs/workers.ts";
import type { ImageLimits, Picture } from "./decode.ts";
import type { Card } from "./draw-card.ts";
import type { Question } from "./image-worker.ts";

/** A change invalidates the stored cards. */
export const CARD_VERSION = 1;

/** The limits of uploads. A picture of the most pixels takes up to 300 MB. */
export const IMAGE_LIMITS: ImageLimits = { bytes: 10 * 1024 * 1024, pixels: 24_000_000, frames: 200 };

/** The first card of a process waits until all fonts are read. */
const CARD_DEADLINE_MS = 20_000;

/**
 * Decodes in processes: a decoder that hangs or crashes can't be stopped otherwise, and its memory goes with its
 * process.
 */
export function createImages({ size = 2, queue = 32, deadlineMs = 5_000 } = {}) {
  const pool = createPool<Question, Picture[]>({
    kind: "process",
    module: "content/images/image-worker",
    label: "The image process",
    // One arena instead of one per thread.
    env: { MALLOC_ARENA_MAX: "2", VIPS_WARNING: "0" },
    size,
    limit: queue,
    deadlineMs: (question) => ("card" in question ? CARD_DEADLINE_MS : deadlineMs),
    idleMs: 30_000,
    explain,
  });

  /** Pictures of one key, such as a person's id, are processed one at a time. */
  async function ask(question: Question, key: Key = Symbol("picture")): Promise<Picture[]> {
    const pictures = await pool.ask({ key }, question);
    return pictures.map((each) => ({ ...each, bytes: Buffer.from(each.bytes) }));
  }

  return {
    /**
     * Re-encodes bytes of unknown origin.
     * @throws AppError invalid for a bad picture, unavailable when too many wait
     */
    reencode: async (
      bytes: Buffer,
      { key, limits = IMAGE_LIMITS }: { key?: Key; limits?: ImageLimits } = {},
    ) => only(await ask({ bytes, limits }, key)),
    /**
     * Still squares from the middle.
     * @throws AppError as above
     */
    squares: (bytes: Buffer, sides: readonly number[]) => ask({ bytes, limits: IMAGE_LIMITS, sides }),
    /**
     * The reader of a card has made no mistake.
     * @throws AppError unavailable
     */
    card: async (card: Card) => only(await ask({ card }).catch(asUnavailable)),
    /** Refuses unfinished pictures as unavailable. */
    close: () => void pool.close(),
  };
}

export type Images = ReturnType<typeof createImages>;

function explain(error: Error): Error {
  switch (error.name) {
    case "WorkerTimeout":
      return invalid("Image takes too long to read: send a smaller one");
    case "WorkerCrash":
      return invalid("Image can't be read: it breaks the decoder");
    case "Refused":
      return invalid(error.message);
    default:
      return error;
  }
}

function only([picture]: Picture[]): Picture {
  if (picture === undefined) throw new Error("The image process returned no image.");
  return picture;
}

function asUnavailable(error: unknown): never {
  throw error instanceof AppError && error.code === "invalid" ? unavailable(error) : error;
}
