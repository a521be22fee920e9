import { type RawBuilder, sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";
import { checkAll } from "../../operate/health/invariants.ts";

let id: number;
const world = worldForAll();
beforeAll(async () => {
  const ada = await world.user({ username: "ada" });
  ({ id } = await world.article(ada, { slug: "looms" }));
  await sql`insert into comments (article_id, author_id, body_markdown, body_html, renderer_version)
    values (${id}, ${ada.id}, 'Yes', '<p>Yes</p>', 1)`.execute(world.db);
  await world.reaction({ user: "ada", article: "looms", category: "like" });
  await world.reaction({ user: "ada", comment: "1", category: "like" });
});

/** The faults of reaction counts after this damage, which is undone. */
async function said(damage: RawBuilder<unknown>): Promise<string | undefined> {
  const undone = new Error("undone");
  let message: string | undefined;
  const work = world.db.transaction().execute(async (tx) => {
    await damage.execute(tx);
    const finding = (await checkAll(tx)).find(({ check }) => check === "counts of reactions");
    message = finding?.result === "ok" ? "ok" : finding?.faults?.join(" ");
    throw undone;
  });
  await expect(work).rejects.toBe(undone);
  return message;
}

test.each([
  ["ok", sql`select`],
  [
    "The article {} counts 7 reactions, but has 1.",
    sql`update articles set reactions_count = 7 where slug = 'looms'`,
  ],
  ["The article {} counts 1 reactions, but has 0.", sql`delete from reactions where article_id is not null`],
  [
    "The article {} counts 1 reactions, but has 2.",
    sql`insert into reactions (user_id, article_id, category)
      select author_id, id, 'fire' from articles where slug = 'looms'`,
  ],
  ["The comment 1 counts 7 reactions, but has 1.", sql`update comments set reactions_count = 7`],
  ["The comment 1 counts 1 reactions, but has 0.", sql`delete from reactions where comment_id is not null`],
])("inkstone doctor --verify says of the counts of reactions: %s", async (sentence, damage) => {
  expect(await said(damage)).toContain(sentence.replace("{}", String(id)));
});
