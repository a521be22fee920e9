import { corrected } from "../../search/index/spelling.ts";
import * as tags from "../tags/tags.ts";
import type { SearchSource } from "../../search/find.ts";

/** Tags that begin with what was typed, and behind them those that are spelt alike. */
export async function findTags({ db, memory, cache }: SearchSource, text: string, limit: number) {
  const name = tags.nameOf(text);
  if (name === undefined) return [];
  const { vocabulary } = await memory.current(db, cache);
  return tags.search(db, name, { others: corrected([name], vocabulary).get(name)?.words ?? [], limit });
}
