import { type RawBuilder, sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { faultsIn, faultsWith } from "../../../test/health.ts";
import { worldForAll } from "../../../test/world.ts";
import { verify } from "../../operate/health/invariants.ts";

describe("inkstone doctor --verify of comments", () => {
  const world = worldForAll();
  beforeAll(async () => {
    const author = await world.user({ username: "ada" });
    await world.article(author, { slug: "looms-1a" });
    await world.article(author, { slug: "wool-1a" });
    const bob = await world.user({ username: "bob" });
    const [first, second] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
    await world.comment(bob, { article: "looms-1a", id_code: "1", created_at: first });
    await world.comment(bob, { article: "looms-1a", id_code: "2", parent: "1", created_at: second });
    await world.comment(bob, { article: "looms-1a", id_code: "3", deleted: true });
  });

  test("finds nothing wrong with threads, of which something is deleted", async () => {
    expect(faultsIn(await verify(world.db))).toEqual({});
  });

  test.each<[check: string, says: string, ...RawBuilder<unknown>[]]>([
    [
      "counts of comments",
      "The article 1 counts 3 comments, but has 2.",
      sql`update articles set comments_count = 3 where id = 1`,
    ],
    [
      "counts of comments",
      "The last comment on the article 1 is said to be of no date, but it is of 2026-01-02 00:00:00+00.",
      sql`set local time zone 'UTC'`,
      sql`update articles set last_comment_at = null where id = 1`,
    ],
    [
      "threads of comments",
      "The comment 2 is a reply to the comment 1, which belongs to another article or episode.",
      sql`update comments set article_id = 2 where id = 2`,
    ],
    [
      "threads of comments",
      "The comment 2 is a reply to the comment 1, but belongs to another thread.",
      sql`update comments set root_id = 3 where id = 2`,
    ],
  ])("%s: %s", async (check, says, ...damage) => {
    expect((await faultsWith(world.superuser, damage))[check]).toContain(says);
  });
});
