import { corrected } from "../search-index/spelling.ts";
import * as tags from "../tags/tags.ts";
import type { Services } from "../context.ts";
import type { Db } from "../db/connect.ts";

/** Tags that begin with what was typed, and behind them those that are spelt alike. */
export async function findTags(
  { db, services }: { db: Db; services: Services },
  text: string,
  limit: number,
) {
  const name = tags.nameOf(text);
  if (name === undefined) return [];
  const { vocabulary } = await services.searchMemory.current(db, services.cache);
  return tags.search(db, name, { others: corrected([name], vocabulary).get(name)?.words ?? [], limit });
}
