import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWorld, type World } from "../../test/world.ts";
import { idCode } from "./id-codes.ts";
import { MAX_COMMENTS } from "./queries.ts";

const AUTHORS = 50;

describe("many comments", () => {
  let world: World;
  let next = 1;
  beforeAll(async () => {
    world = await startWorld();
    for (let n = 0; n < AUTHORS; n += 1) await world.user();
  });
  afterAll(() => world.stop());

  /** So many comments, numbered on, under an article of their own; `parent` is SQL of their number `n`. */
  async function comments(count: number, parent: (from: number) => RawBuilder<unknown>) {
    const { id } = await world.article({ username: "person_1" });
    const from = next;
    next += count;
    await sql`
      insert into comments (id, article_id, parent_id, root_id, author_id, body_markdown, body_html, renderer_version)
      select ${from}::int + n, ${id}, ${parent(from)}, 0, 1 + n % ${AUTHORS}::int, 'Words', '<p>Words</p>', 1
      from generate_series(0, ${count}::int - 1) as n`.execute(world.db);
    await sql`analyze comments`.execute(world.db);
    return { url: `/api/comments?a_id=${id}`, first: from, last: next - 1 };
  }

  const countIn = (text: string) => text.match(/"id_code"/g)?.length;

  test.each<[string, (from: number) => RawBuilder<unknown>]>([
    ["one thread", (from) => sql`case when n > 0 then ${from}::int end`],
    ["chains of fifty levels", (from) => sql`case when n % 50 > 0 then ${from}::int + n - 1 end`],
    [
      "threads of all shapes",
      (from) => sql`case when n % 10 > 0 then ${from}::int + (n * 7919 + 13) % 10007 % n end`,
    ],
  ])("of %s are all in one answer, which is there at once", async (_shape, parent) => {
    const { url, first } = await comments(10_000, parent);
    const times: number[] = [];
    let statements = 0;
    world.pool.on("acquire", () => void statements++);
    for (let round = 1; round <= 5; round += 1) {
      await world.get("/api/instance");
      const start = performance.now();
      statements = 0;
      // Has no effect without a page, but this answer isn't kept yet.
      const { status, text } = await world.get(`${url}&per_page=${round}`);
      times.push(performance.now() - start);
      expect([status, statements, countIn(text)]).toEqual([200, 1, 10_000]);
    }
    world.pool.removeAllListeners("acquire");
    expect(Math.min(...times)).toBeLessThan(300);
    expect((await world.get(`/api/comments/${idCode(first)}`)).status).toBe(200);
  });

  test("are answered up to a bound, behind which pages lead", async () => {
    const { url, last } = await comments(MAX_COMMENTS + 10, () => sql`null::int`);
    const { text, headers } = await world.get(url);
    expect(countIn(text)).toBe(MAX_COMMENTS);
    expect(text).not.toContain(`"${idCode(last)}"`);
    expect(headers["link"]).toBe(`<https://ink.example${url}&page=1>; rel="first"`);
    const { text: page } = await world.get(`${url}&page=26&per_page=1000`);
    expect([countIn(page), page.includes(`"${idCode(last)}"`)]).toEqual([10, true]);
  });

  test("of one thread beyond the bound are each found all the same", async () => {
    const { last } = await comments(MAX_COMMENTS + 10, (from) => sql`case when n > 0 then ${from}::int end`);
    const { status, body } = await world.get(`/api/comments/${idCode(last)}`);
    expect([status, body]).toMatchObject([200, { id_code: idCode(last), children: [] }]);
  });
});
