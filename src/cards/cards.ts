import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { cardHash, cardOf } from "../articles/social-image.ts";
import type { Db } from "../db/connect.ts";
import { unavailable } from "../errors.ts";
import type { Files } from "../files/files.ts";
import { type Card, CARD_VERSION } from "../images/card.ts";
import type { Images } from "../images/images.ts";
import * as queries from "./queries.ts";

/** How many may wait to be drawn; one is drawn at a time, so that images are received meanwhile. */
const MAX_WAITING = 16;

const FOLDER = "cards";
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Cards of articles: each is drawn when it is asked for first, and kept as a file. */
export interface Cards {
  /** @throws AppError unavailable */
  picture(card: Card): Promise<Buffer>;
}

/** What stands on the card of an article that is published and whose card has this hash. */
export async function find(
  db: Db,
  { id, hash, site }: { id: number; hash: string; site: string },
): Promise<Card | undefined> {
  const row = await queries.findPublished(db, id);
  if (!row) return undefined;
  const { title, author_id, author_name, organization } = row;
  const carded = { title, user: { id: author_id, name: author_name }, organization };
  return cardHash(carded) === hash ? { ...cardOf(carded), site } : undefined;
}

/** What a card is kept as: another text when anything on it is another. */
export function keyOf(card: Card): string {
  return createHash("sha256")
    .update(JSON.stringify([CARD_VERSION, card.title, card.byline, card.site, card.authorId]))
    .digest("hex")
    .slice(0, 32);
}

export function createCards({ files, images }: { files: Files; images: Images }): Cards {
  const drawing = new Map<string, Promise<Buffer>>();
  let last: Promise<unknown> = Promise.resolve();

  async function draw(name: string, card: Card): Promise<Buffer> {
    const { bytes, type } = await images.card(card);
    await files.put(name, bytes, type);
    return bytes;
  }

  /** After those that were asked for before, once for all who ask meanwhile. */
  function queue(name: string, card: Card): Promise<Buffer> {
    if (drawing.size >= MAX_WAITING) throw unavailable();
    const work = () => draw(name, card);
    const drawn = last.then(work, work).finally(() => drawing.delete(name));
    drawing.set(name, drawn);
    last = drawn;
    return drawn;
  }

  return {
    async picture(card) {
      const name = `${FOLDER}/${keyOf(card)}.png`;
      const kept = await files.get(name);
      return kept ? buffer(kept.stream) : (drawing.get(name) ?? queue(name, card));
    },
  };
}

/** Removes cards that are old: whoever still wants one has it drawn again. */
export async function sweep(files: Files, now: Date): Promise<void> {
  const limit = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
  for await (const { name, modifiedAt } of files.list(FOLDER))
    if (modifiedAt < limit) await files.remove(name);
}
