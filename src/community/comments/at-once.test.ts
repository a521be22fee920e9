import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { comments } from "../../../test/actors.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const after = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const MANY = 50;
const LIMIT = 10;

interface Saying {
  /** Under which article. */
  nth?: number;
  parentId?: number | undefined;
  now?: Date;
  isLimited?: boolean;
}

describe("people who comment at the same moment", () => {
  let articles: { id: number }[];
  const world = worldForAll({ now: NOW });
  beforeAll(() => world.user({ username: "ada" }));
  beforeEach(async () => {
    articles = [];
    for (let n = 0; n < 5; n += 1) articles.push(await world.article({ username: "ada" }));
  });

  const body = { markdown: "Words", html: "<p>Words</p>\n" };

  function say(writer: { id: number }, { nth = 0, parentId, now = NOW, isLimited = false }: Saying = {}) {
    const target = { article_id: articles[nth % articles.length]?.id ?? 0 };
    return inTransaction(world.db, (tx) =>
      comments.write(tx, { writer, target, parentId, body }, { now, isLimited }),
    );
  }
  const remove = (id: number, by: { id: number }) =>
    inTransaction(world.db, (tx) => comments.remove(tx, { id, by }));

  /** The outcome of an attempt to comment. */
  async function tried(writer: { id: number }, saying: Saying): Promise<string> {
    try {
      await say(writer, { ...saying, isLimited: true });
      return "said";
    } catch (error) {
      if (error instanceof AppError) return error.code;
      throw error;
    }
  }
  const manyTries = (writer: { id: number }) =>
    Promise.all(Array.from({ length: MANY }, (_, nth) => tried(writer, { nth })));

  async function counted(): Promise<number> {
    const ids = articles.map(({ id }) => id);
    const rows = await world.db
      .selectFrom("articles")
      .select("comments_count")
      .where("id", "in", ids)
      .execute();
    return rows.reduce((sum, { comments_count }) => sum + comments_count, 0);
  }
  const rows = () =>
    world.db
      .selectFrom("comments")
      .select("id")
      .where("deleted", "=", false)
      .where(
        "article_id",
        "in",
        articles.map(({ id }) => id),
      )
      .execute();

  test("are all counted, and so are those who take their words back meanwhile", async () => {
    const people = await Promise.all(Array.from({ length: MANY }, () => world.user()));
    const said = await Promise.all(people.map((person) => say(person)));
    expect(await counted()).toBe(MANY);
    await Promise.all([
      ...said.slice(0, 25).map(({ id }, n) => remove(id, people[n] as { id: number })),
      ...people.slice(25).map((person) => say(person, { parentId: said[49]?.id, now: after(1_000) })),
    ]);
    expect([await counted(), (await rows()).length]).toEqual([MANY, MANY]);
    const { body: article } = await world.get(`/api/articles/${articles[0]?.id}`);
    expect(article).toMatchObject({ last_comment_at: "2026-03-31T12:00:01Z" });
    expect(world.bugs).toEqual([]);
  });

  test("say no more than the limit each, also under several articles", async () => {
    const [bob, cleo] = [await world.user(), await world.user()];
    const [bobs] = await Promise.all([manyTries(bob), tried(cleo, {})]);
    expect(bobs.filter((outcome) => outcome === "said")).toHaveLength(LIMIT);
    expect(bobs.filter((outcome) => outcome === "rate_limited")).toHaveLength(MANY - LIMIT);
    expect([await counted(), (await rows()).length]).toEqual([LIMIT + 1, LIMIT + 1]);
    expect(world.bugs).toEqual([]);
  });

  test("may go on half a minute later", async () => {
    const dora = await world.user();
    await manyTries(dora);
    expect(await tried(dora, { now: after(29_999) })).toBe("rate_limited");
    expect(await tried(dora, { now: after(30_000) })).toBe("said");
  });

  test("aren't counted for what is refused for another reason", async () => {
    const { id } = await world.user();
    for (let n = 0; n < 12; n += 1) expect(await tried({ id }, { parentId: 12_345 })).toBe("not_found");
    expect(await tried({ id }, {})).toBe("said");
  });
});
