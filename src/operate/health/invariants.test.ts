import { type RawBuilder, sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { faultsIn, faultsWith } from "../../../test/health.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as events from "../../platform/events/events.ts";
import * as notifications from "../../community/notifications/notifications.ts";
import * as vocabulary from "../../search/vocabulary.ts";
import { verify } from "./invariants.ts";
import { worldForAll } from "../../../test/world.ts";

describe("inkstone doctor --verify", () => {
  let looms: { id: number };
  const world = worldForAll();
  beforeAll(async () => {
    const author = await world.user({ username: "ada" });
    await world.user({ username: "bob" });
    await world.organization({ username: "tinkerlab", members: [{ username: "ada", role: "admin" }] });
    looms = await world.article(author, {
      slug: "looms-1a",
      tags: ["wool", "looms"],
      series: "Looms",
      organization: "tinkerlab",
      imported_reactions_count: 3,
      body_markdown: "Hello @bob",
    });
    for (let n = 0; n < 12; n += 1) await world.article(author, { slug: `more-${n}a`, tags: ["wool"] });
    await world.article(author, { slug: "draft-1a", published: false });
    await inTransaction(world.db, (tx) => events.record(tx, "article_published", { article_id: looms.id }));
    await notifications.fanOut(world.db, new Date());
    await vocabulary.addUpChanges(world.db);
  });
  test("says before each check which one it is", async () => {
    const seen: [string, number, number][] = [];
    const findings = await verify(world.db, (check, { number, of }) => seen.push([check, number, of]));
    expect(seen).toEqual(findings.map(({ check }, index) => [check, index + 1, findings.length]));
  });

  const damaged = (...statements: RawBuilder<unknown>[]) => faultsWith(world.superuser, statements);

  test("finds nothing wrong with a site that works, also in the middle of its work", async () => {
    expect(faultsIn(await verify(world.db))).toEqual({});
    // Its words aren't summed up yet, and its notifications are pending.
    await world.article({ username: "ada" }, { slug: "late-1a", tags: ["looms"] });
    await inTransaction(world.db, (tx) => events.record(tx, "article_published", { article_id: looms.id }));
    const findings = await verify(world.db);
    expect(faultsIn(findings)).toEqual({});
    expect(findings.length).toBeGreaterThan(12);
    await notifications.fanOut(world.db, new Date());
  });

  const id = () => sql.lit(looms.id);
  const unpublished = () => sql`update articles set state = 'unpublished' where id = ${id()}`;
  const unlisted = () => sql`delete from published_articles where article_id = ${id()}`;
  type Case = [check: string, says: string, ...(() => RawBuilder<unknown>)[]];
  const otherwise = (what: string, damage: () => RawBuilder<unknown>): Case => [
    "published articles",
    `The article {} is listed with another ${what} than it has.`,
    damage,
  ];
  const cases: Case[] = [
    ["published articles", "The article {} is unpublished, but still listed.", unpublished],
    ["published articles", "The article {} is published, but not listed.", unlisted],
    otherwise("author", () => sql`update published_articles set author_id = 2 where article_id = ${id()}`),
    otherwise("organization", () => sql`update articles set organization_id = null where id = ${id()}`),
    otherwise(
      "series",
      () => sql`update published_articles set collection_id = null where article_id = ${id()}`,
    ),
    otherwise("date", () => sql`update articles set published_at = '2020-01-01' where id = ${id()}`),
    otherwise("number of reactions", () => sql`update articles set reactions_count = 5 where id = ${id()}`),
    otherwise("score", () => sql`update articles set points = -3 where id = ${id()}`),
    otherwise("video", () => sql`update published_articles set has_video = true where article_id = ${id()}`),
    otherwise("hotness", () => sql`update published_articles set hotness = 9999 where article_id = ${id()}`),
    [
      "count of published articles",
      "14 published articles are counted, but there are ",
      () => sql`update published_counts set delta = 14 where id = 0`,
      () => sql`delete from published_counts where id > 0`,
      () => sql`delete from published_articles where article_id = ${id()}`,
    ],
    [
      "count of published articles",
      "No published articles are counted, but there are 14.",
      () => sql`delete from published_counts`,
    ],
    [
      "tags of articles",
      'The published article {} has the tags "looms, wool", but is found under "wool".',
      () =>
        sql`delete from article_tags using tags where tag_id = tags.id and name = 'looms' and article_id = ${id()}`,
    ],
    [
      "tags of articles",
      'The published article {} has the tags "other", but is found under "looms, wool".',
      () => sql`update articles set tag_list = '{other}' where id = ${id()}`,
    ],
    [
      "tags of articles",
      "The article {} stands under the tag 1 with another date, number of reactions or hotness than in other lists.",
      () => sql`update article_tags set reactions = 9 where article_id = ${id()} and tag_id = 1`,
    ],
    [
      "counts of tags",
      " is counted 99 times, but carried by ",
      () => sql`update tags set articles_count = 99 where id = 1`,
    ],
    [
      "series",
      "The article {} belongs to the series 1 of another user.",
      () => sql`update collections set user_id = 2`,
    ],
    [
      "slugs",
      'The slug of the article {}, "looms-ab-temp-slug-123", is one of a draft, but the article is published.',
      () => sql`update articles set slug = 'looms-ab-temp-slug-123' where id = ${id()}`,
    ],
    [
      "paths",
      "The former path /tinkerlab/looms-1a of the article 2 is where the article {} is found now.",
      () => sql`insert into retired_paths (path, article_id) values ('/tinkerlab/looms-1a', 2)`,
    ],
    [
      "versions",
      "which none has been given yet.",
      () => sql`update articles set version = 999999 where id = ${id()}`,
    ],
    ["versions", "have the same version.", () => sql`update articles set version = 1 where id <= 2`],
    ["notifications", "The notification 1 is shown, but its article {} is unpublished.", unpublished],
    [
      "usernames",
      "The username nobody is taken, but no user has it.",
      () => sql`insert into handles (username, kind) values ('nobody', 'user')`,
    ],
    [
      "usernames",
      "The user 1 has the username ada, which isn't reserved for it.",
      () => sql`delete from handles where username = 'ada'`,
    ],
    [
      "references",
      "A row of articles refers to 1 of users, which isn't there.",
      () => sql`delete from users where username = 'ada'`,
    ],
    ["references", "A row of article_tags refers to {} of published_articles, which isn't there.", unlisted],
    [
      "numbers",
      "The next row of users would be given a number that is taken: its numbers go up to 2.",
      () => sql`alter table users alter column id restart with 1`,
    ],
    [
      "tag aliases",
      "is another name of looms, which is another name itself.",
      () => sql`insert into tags (name, alias_for) select 'first', id from tags where name = 'looms'`,
      () => sql`update tags set alias_for = (select id from tags where name = 'wool') where name = 'looms'`,
    ],
    [
      "search rows",
      "The article {} is published, but search doesn't know it.",
      () => sql`delete from search_rows where article_id = ${id()}`,
    ],
    [
      "versions of articles",
      "The article {} has version ",
      () => sql`update published_articles set version = 0 where article_id = ${id()}`,
    ],
    [
      "words of articles",
      "The article {} is published, but the vocabulary has nothing of it.",
      () => sql`delete from article_words where article_id = ${id()}`,
    ],
    [
      "vocabulary",
      'The word "wool" is counted 99 times, but stands in ',
      () => sql`update search_words set articles_count = 99 where word = 'wool'`,
    ],
    [
      "vocabulary",
      'The word "nowhere" is counted 1 times, but stands in 0 articles.',
      () => sql`insert into search_word_changes (words, delta) values ('{nowhere}', 1)`,
    ],
  ];

  test.each(cases)("%s: %s", async (check, says, ...statements) => {
    const found = await damaged(...statements.map((statement) => statement()));
    expect(found[check]).toContain(says.replaceAll("{}", String(looms.id)));
    expect(found[check]).toMatch(
      /\. \d+ faults?\. Make a backup; `inkstone export` and `inkstone import` .*\.$/,
    );
  });

  test("names the first faults of a kind and counts the rest", async () => {
    const found = await damaged(sql`update articles set points = 1 where state = 'published'`);
    expect(found["published articles"]?.match(/The article \d+ is listed/g)).toHaveLength(10);
    expect(found["published articles"]).toMatch(/ And \d+ more\. /);
  });
});
