import type { Db } from "../db/connect.ts";
import * as queries from "./me-queries.ts";

/**
 * Bodies that are in memory at once, if none is larger. Lists may ask for a thousand, each of up to
 * 800 KiB, which together are more than a process has.
 */
const PORTION_BYTES = 2 * 1024 * 1024;

export interface OwnPage {
  /** The articles of the page, a portion at a time. Loading one that is gone meanwhile leaves it out. */
  portions: (() => Promise<queries.OwnRow[]>)[];
  hasNext: boolean;
}

/** A page of an author's own articles. */
export async function ownPage(
  db: Db,
  authorId: number,
  { which, limit, offset }: queries.OwnPart,
): Promise<OwnPage> {
  // One more than asked for tells whether there is a next page.
  const refs = await queries.ownRefs(db, authorId, { which, limit: limit + 1, offset });
  const groups = inPortions(refs.slice(0, limit));
  const portions = groups.map((ids) => () => queries.ownRows(db, ids));
  return { portions, hasNext: refs.length > limit };
}

function inPortions(refs: { id: number; bytes: number }[]): number[][] {
  const groups: number[][] = [];
  let room = 0;
  for (const { id, bytes } of refs) {
    // An empty body finds room in none, so the first one of all needs its portion too.
    if (groups.length === 0 || bytes > room) {
      groups.push([]);
      room = PORTION_BYTES;
    }
    groups.at(-1)?.push(id);
    room -= bytes;
  }
  return groups;
}
