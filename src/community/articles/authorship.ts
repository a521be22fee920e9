import type { Db } from "../../platform/db/connect.ts";
import type { Reassignment } from "../../platform/db/reassign.ts";
import * as queries from "./queries.ts";
import * as readModel from "./read-model.ts";
import * as series from "./series.ts";
import { writeChanges } from "./transition.ts";

/** Articles in memory at once, with their bodies. */
const BATCH = 50;

/**
 * Gives all articles of one person to another, also deleted ones, and retires their paths. Without events: nothing has
 * happened to the articles. Returns their number.
 */
export async function reassign(tx: Db, people: Reassignment, now: Date): Promise<number> {
  const others = await series.reassign(tx, people);
  for (let total = 0; ;) {
    const articles = await queries.lockOfAuthor(tx, people.from, BATCH);
    if (articles.length === 0) return total;
    const changed = articles.map((before) => {
      const { collection_id } = before;
      const kept = collection_id === null ? undefined : others.get(collection_id);
      return { before, change: { author_id: people.to, ...(kept !== undefined && { collection_id: kept }) } };
    });
    await writeChanges(tx, changed);
    await readModel.refresh(
      tx,
      articles.map(({ id }) => id),
      { now },
    );
    total += articles.length;
  }
}
