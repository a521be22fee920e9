import { expect, test } from "vitest";
import { startWorld } from "../../../test/world.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { comments } from "../../../test/actors.ts";

const NOW = new Date("2026-03-31T12:00:00.250Z");

test("comments on an episode are hidden by the owner of the podcast, and read by the number of the episode", async () => {
  const world = await startWorld({ now: NOW });
  const owner = await world.user({ username: "ola" });
  const bob = await world.user({ username: "bob" });
  await world.podcast({ slug: "loomcast", owner: "ola" });
  const { id: episode_id } = await world.episode("loomcast");
  const body = { markdown: "Well said", html: "<p>Well said</p>\n" };
  const { id } = await inTransaction(world.db, (tx) =>
    comments.write(tx, { writer: bob, target: { episode_id }, body }, { now: NOW }),
  );
  const url = `/api/comments?p_id=${episode_id}`;
  expect((await world.get(url)).body).toMatchObject([{ body_html: "<p>Well said</p>\n" }]);
  await inTransaction(world.db, (tx) => comments.setHidden(tx, { id, by: owner, hidden: true }));
  expect((await world.get(url)).body).toMatchObject([{ hidden: true }]);
  await world.stop();
});
