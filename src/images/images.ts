import { AppError, unavailable } from "../errors.ts";
import type { Card } from "./card.ts";
import type { ImageLimits, Picture } from "./decode.ts";
import { ImageProcess } from "./image-process.ts";
import type { Question } from "./image-worker.ts";

export interface Images {
  /**
   * Makes a clean picture from bytes of unknown origin.
   * @throws AppError invalid for what isn't a picture or is too much of one, unavailable when too many wait
   */
  reencode(bytes: Buffer, limits?: ImageLimits): Promise<Picture>;
  /**
   * Makes square pictures of these sides from the middle of one, all of them still.
   * @throws AppError as above
   */
  squares(bytes: Buffer, sides: readonly number[]): Promise<Picture[]>;
  /**
   * Draws the card of an article.
   * @throws AppError unavailable when too many wait, or it takes too long
   */
  card(card: Card): Promise<Picture>;
  /** Ends the processes; pictures not made by then are refused as unavailable. */
  close(): void;
}

interface Options {
  /** How many pictures are handled at once. */
  size?: number;
  /** How many may wait for that. */
  queue?: number;
  deadlineMs?: number;
}

/** What anybody may send. A picture of the most pixels takes up to 300 MB while it is handled. */
export const IMAGE_LIMITS: ImageLimits = { bytes: 10 * 1024 * 1024, pixels: 24_000_000, frames: 200 };

/** Handles pictures in processes of their own, which start when they are needed; first come, first served. */
export function createImages({ size = 2, queue = 32, deadlineMs = 5_000 }: Options = {}): Images {
  const idle: ImageProcess[] = [];
  const busy = new Set<ImageProcess>();
  const turns: ((isOpen: boolean) => void)[] = [];
  let free = size;
  let isClosed = false;

  async function begin(): Promise<void> {
    if (isClosed || (free === 0 && turns.length >= queue)) throw unavailable();
    if (free > 0) free -= 1;
    else if (!(await new Promise<boolean>((resolve) => turns.push(resolve)))) throw unavailable();
  }

  /** Whoever waits longest takes the place over. */
  function end(): void {
    const turn = turns.shift();
    if (turn === undefined) free += 1;
    else turn(true);
  }

  function take(): ImageProcess {
    let process = idle.pop();
    while (process !== undefined && !process.isAlive) process = idle.pop();
    return process ?? new ImageProcess(deadlineMs);
  }

  async function ask(question: Question): Promise<Picture[]> {
    await begin();
    const process = take();
    busy.add(process);
    try {
      return await process.ask(question);
    } finally {
      busy.delete(process);
      if (process.isAlive) idle.push(process);
      end();
    }
  }

  return {
    reencode: async (bytes, limits = IMAGE_LIMITS) => only(await ask({ bytes, limits })),
    squares: (bytes, sides) => ask({ bytes, limits: IMAGE_LIMITS, sides }),
    // A card is made of what was accepted long ago, so whoever asks for it has done nothing wrong.
    card: async (card) => only(await ask({ card }).catch(blameNobody)),
    close() {
      isClosed = true;
      for (const turn of turns.splice(0)) turn(false);
      for (const process of [...busy, ...idle]) process.stop();
    },
  };
}

function only([picture]: Picture[]): Picture {
  if (picture === undefined) throw new Error("The image process answered without a picture.");
  return picture;
}

function blameNobody(error: unknown): never {
  throw error instanceof AppError && error.code === "invalid" ? unavailable(error) : error;
}
