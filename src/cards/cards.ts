import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import * as articles from "../articles/reading.ts";
import { cardHash, cardOf } from "../articles/view.ts";
import type { Db } from "../db/connect.ts";
import { unavailable } from "../errors.ts";
import type { Files } from "../files/files.ts";
import { type Card, CARD_VERSION } from "../images/card.ts";
import type { Images } from "../images/images.ts";
import { isMarked, mark } from "../images/png.ts";

/** One card is drawn at a time, so that images are processed meanwhile. */
const MAX_WAITING = 16;

const FOLDER = "cards";
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Cards are drawn at the first request and kept, one file per article. */
export interface Cards {
  /** @throws AppError unavailable */
  picture(articleId: number, card: Card): Promise<Buffer>;
}

/** Undefined for another hash. */
export async function find(
  db: Db,
  { id, hash, site }: { id: number; hash: string; site: string },
): Promise<Card | undefined> {
  const [row] = await articles.rows(db, [{ article_id: id }]);
  return row && cardHash(row) === hash ? { ...cardOf(row), site } : undefined;
}

export function keyOf(card: Card): string {
  return createHash("sha256")
    .update(JSON.stringify([CARD_VERSION, card.title, card.byline, card.site, card.authorId]))
    .digest("hex")
    .slice(0, 32);
}

export function createCards({ files, images }: { files: Files; images: Images }): Cards {
  const drawing = new Map<string, Promise<Buffer>>();
  let last: Promise<unknown> = Promise.resolve();

  async function draw(articleId: number, card: Card): Promise<Buffer> {
    const { bytes, type } = await images.card(card);
    const marked = mark(bytes, keyOf(card));
    await files.put(fileOf(articleId), marked, type);
    return marked;
  }

  /** In order; concurrent requests for one card share it. */
  function queue(articleId: number, card: Card): Promise<Buffer> {
    const name = `${articleId} ${keyOf(card)}`;
    const before = drawing.get(name);
    if (before !== undefined) return before;
    if (drawing.size >= MAX_WAITING) throw unavailable();
    const work = () => draw(articleId, card);
    const drawn = last.then(work, work).finally(() => drawing.delete(name));
    drawing.set(name, drawn);
    last = drawn;
    return drawn;
  }

  return {
    async picture(articleId, card) {
      const kept = await files.get(fileOf(articleId));
      const bytes = kept && (await buffer(kept.stream));
      return bytes && isMarked(bytes, keyOf(card)) ? bytes : queue(articleId, card);
    },
  };
}

/** Files are divided by the beginning of their names. */
function fileOf(articleId: number): string {
  return `${FOLDER}/${String(articleId % 100).padStart(2, "0")}-${articleId}.png`;
}

/** A removed card is drawn again when needed. */
export async function sweep(files: Files, now: Date): Promise<void> {
  const limit = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
  for await (const { name, modifiedAt } of files.list(FOLDER))
    if (modifiedAt < limit) await files.remove(name);
}
