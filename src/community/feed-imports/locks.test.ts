import { expect, test } from "vitest";
import { untilWaiting } from "../../../test/waiting.ts";
import { importing, rss } from "../../../test/fetching.ts";
import { inTransaction } from "../../platform/db/transaction.ts";

const site = importing();

test.each([
  ["an item is taken in", { title: "New", guid: "2" }],
  ["an item is left out", { guid: "3" }],
  ["an item has changed", { title: "Renamed", guid: "1" }],
])("when %s while its feed is removed, neither waits crosswise", async (_what, post) => {
  const author = await site.author();
  site.says(rss([{ title: "First", guid: "1" }]));
  const { id } = await site.add(author);
  site.says(rss([post]));
  let reading: Promise<unknown> | undefined;
  await inTransaction(site.world.db, async (tx) => {
    await tx.selectFrom("feed_sources").select("id").where("id", "=", id).forUpdate().execute();
    reading = site.refresh(id);
    await untilWaiting(site.world.db, 1);
    // A transaction that waits for the feed doesn't lock what its removal needs next.
    const fetches = tx.selectFrom("fetches").select("id").where("kind", "=", "feed").where("id", "=", id);
    expect(await fetches.forUpdate().noWait().execute()).toHaveLength(1);
  });
  await reading;
});
