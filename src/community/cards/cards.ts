import { createHash } from "node:crypto";
import * as articles from "../articles/reading.ts";
import { cardHash, cardOf } from "../articles/view.ts";
import type { Db } from "../../platform/db/connect.ts";
import { createFairQueue } from "../../platform/fair-queue.ts";
import { contentOf, type Files } from "../../platform/files/files.ts";
import type { Card } from "../../content/images/draw-card.ts";
import { CARD_VERSION, type Images } from "../../content/images/images.ts";

export const FOLDER = "cards";
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Undefined for another hash. */
export async function find(
  db: Db,
  { id, hash, site }: { id: number; hash: string; site: string },
): Promise<Card | undefined> {
  const [row] = await articles.rows(db, [{ article_id: id }]);
  return row && cardHash(row) === hash ? { ...cardOf(row), site } : undefined;
}

const KEY_CHARACTERS = 32;

/** Follows the picture in its file, to tell which card it is of. */
export function keyOf(card: Card): string {
  return createHash("sha256")
    .update(JSON.stringify([CARD_VERSION, card.title, card.byline, card.site, card.authorId]))
    .digest("hex")
    .slice(0, KEY_CHARACTERS);
}

/**
 * Makes the function that gives a card. Cards are drawn at the first request and kept, one file per article.
 * @throws AppError unavailable
 */
export function createCards({ files, images }: { files: Files; images: Images }) {
  // One card is drawn at a time, so that images are processed meanwhile.
  const queue = createFairQueue({ size: 1 });

  async function kept(articleId: number, card: Card): Promise<Buffer | undefined> {
    const stored = await contentOf(files, fileOf(articleId));
    const isOfCard = stored?.subarray(-KEY_CHARACTERS).toString("latin1") === keyOf(card);
    return isOfCard ? stored.subarray(0, -KEY_CHARACTERS) : undefined;
  }

  async function draw(articleId: number, card: Card): Promise<Buffer> {
    const { bytes } = await images.card(card);
    await files.put(fileOf(articleId), Buffer.concat([bytes, Buffer.from(keyOf(card))]));
    return bytes;
  }

  return async (articleId: number, card: Card): Promise<Buffer> =>
    (await kept(articleId, card)) ??
    // Another request may draw it meanwhile.
    queue.run({ key: articleId }, async () => (await kept(articleId, card)) ?? draw(articleId, card));
}

/** Files are divided by the beginning of their names. */
function fileOf(articleId: number): string {
  return `${FOLDER}/${String(articleId % 100).padStart(2, "0")}-${articleId}.png`;
}

export async function discard(files: Files, articleIds: readonly number[]): Promise<void> {
  for (const id of articleIds) await files.remove(fileOf(id));
}

/** A removed card is drawn again when needed. */
export async function sweep(files: Files, now: Date): Promise<void> {
  const limit = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
  for await (const { name, modifiedAt } of files.list(FOLDER))
    if (modifiedAt < limit) await files.remove(name);
}
