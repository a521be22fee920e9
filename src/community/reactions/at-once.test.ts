import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { atOnce, settledAtOnce } from "../../../test/waiting.ts";
import { type World, worldForAll } from "../../../test/world.ts";
import * as articleUpkeep from "../articles/upkeep.ts";
import { verify } from "../../operate/health/invariants.ts";
import { reactions, readingList } from "../../../test/actors.ts";

const MANY = 50;

describe("at the same moment", () => {
  let people: { id: number }[];
  let author: Awaited<ReturnType<World["user"]>>;
  const world = worldForAll();
  beforeAll(async () => {
    author = await world.user({ username: "ada" });
    people = await Promise.all(Array.from({ length: MANY }, () => world.user()));
  });

  const now = () => new Date();
  const rules = () => ({ now: now(), limit: undefined });
  const like = (id: number, person: { id: number }) => ({
    userId: person.id,
    target: { articleId: id },
    category: "like" as const,
  });

  async function countOf(id: number): Promise<{ rows: number; counted: number; shown: number }> {
    const { rows } = await sql<{ rows: number; counted: number }>`
      select (select count(*)::int from reactions where article_id = ${id}) as rows,
        (select reactions_count from articles where id = ${id}) as counted`.execute(world.db);
    const { body } = await world.get(`/api/articles/${id}`);
    const shown = (body as { public_reactions_count: number }).public_reactions_count;
    return { rows: rows[0]?.rows ?? NaN, counted: rows[0]?.counted ?? NaN, shown };
  }

  async function expectTrue(): Promise<void> {
    expect((await verify(world.db)).filter(({ result }) => result !== "ok")).toEqual([]);
    expect(world.bugs).toEqual([]);
  }

  test("fifty people who react are fifty, and one who reacts fifty times is one", async () => {
    const { id } = await world.article(author, { tags: ["wool"] });
    await atOnce(people.map((person) => () => reactions.react(world.db, like(id, person), rules())));
    expect(await countOf(id)).toEqual({ rows: MANY, counted: MANY, shown: MANY });
    const other = await world.article(author);
    const again = await atOnce(
      people.map(() => () => reactions.react(world.db, like(other.id, author), rules())),
    );
    expect(again.filter(Boolean)).toHaveLength(1);
    expect(await countOf(other.id)).toEqual({ rows: 1, counted: 1, shown: 1 });
    await expectTrue();
  });

  test("fifty people who save, archive, like and take it back leave right counts", async () => {
    const { id } = await world.article(author, { tags: ["wool"] });
    const work = people.flatMap((person, index) => {
      const mark = { userId: person.id, articleId: id };
      return [
        () => readingList.save(world.db, mark, rules()),
        () =>
          index % 2 === 0 ? readingList.archive(world.db, mark) : readingList.unsave(world.db, mark, now()),
        () => reactions.react(world.db, like(id, person), rules()),
        () => reactions.unreact(world.db, like(id, person), now()),
      ];
    });
    await atOnce(work);
    const { rows, counted, shown } = await countOf(id);
    expect([counted, shown]).toEqual([rows, rows]);
    await expectTrue();
  });

  test("of fifty reactions of one person to as many articles the limit is let through, exactly", async () => {
    const eager = await world.user();
    const slugs = people.map((_, index) => `eager-${index}-x`);
    await world.articles(
      slugs.map((slug) => ({ slug, title: slug, author: author.username, body_markdown: "Words." })),
    );
    const ids = await world.db.selectFrom("articles").select("id").where("slug", "in", slugs).execute();
    const outcomes = await settledAtOnce(
      ids.map(
        ({ id }) =>
          () =>
            reactions.react(world.db, like(id, eager), { now: now(), limit: 11 }),
      ),
    );
    const refusals = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason as Error] : []));
    expect(refusals).toHaveLength(MANY - 11);
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: "rate_limited" });
    const kept = world.db.selectFrom("reactions").select("id").where("user_id", "=", eager.id);
    expect(await kept.execute()).toHaveLength(11);
    await expectTrue();
  });

  test("no reaction is refused while articles are written and cool down", async () => {
    const made: { id: number }[] = [];
    for (let n = 0; n < 8; n++) {
      const record = { tags: ["wool", `tag${n}`], published_at: new Date(Date.now() - n * 3_600_000) };
      made.push(await world.article(author, { ...record, published_at: record.published_at.toISOString() }));
    }
    const key = await world.key(author);
    const write = ({ id }: { id: number }, title: string) =>
      world.request({ method: "PUT", url: `/api/articles/${id}`, key, body: { article: { title } } });
    const limit = 100;
    const react = (id: number, person: { id: number }) =>
      reactions.react(world.db, like(id, person), { now: now(), limit });
    const statuses: number[] = [];
    const work = made.flatMap((one, index) => [
      ...people.slice(0, 4 * index).map((person) => () => react(one.id, person)),
      async () => statuses.push((await write(one, `Looms ${index}`)).status),
      () => articleUpkeep.refreshHotness(world.db, now()),
      () => react(one.id, author),
    ]);
    await atOnce<unknown>(work.toSorted(() => Math.random() - 0.5));
    expect(statuses).toEqual(made.map(() => 200));
    await expectTrue();
    const { body } = await world.get("/api/articles?tag=wool&top=30&per_page=8");
    const counts = (body as { public_reactions_count: number }[]).map((one) => one.public_reactions_count);
    expect(counts).toEqual(counts.toSorted((one, two) => two - one));
    const found = await world.get("/api/articles/search?q=looms&top=30");
    const inSearch = (found.body as { public_reactions_count: number }[]).map(
      (one) => one.public_reactions_count,
    );
    expect(inSearch).toEqual(inSearch.toSorted((one, two) => two - one));
  });
});
