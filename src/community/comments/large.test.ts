import { type RawBuilder, sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { cases } from "../../../test/setup.ts";
import { worldForAll } from "../../../test/world.ts";
import { idCode } from "./id-codes.ts";
import { MAX_COMMENTS } from "./queries.ts";

const AUTHORS = 50;
const MANY = cases(10_000, 2_000);

describe("many comments", () => {
  let next = 1;
  const world = worldForAll();
  beforeAll(async () => {
    for (let n = 0; n < AUTHORS; n += 1) await world.user();
  });

  interface Shape {
    /** SQL of the `n`th comment's columns. */
    parent: (from: number) => RawBuilder<unknown>;
    number?: (from: number) => RawBuilder<unknown>;
    /** Found by a trigger when left out; given, no trigger runs, which would take seconds for as many as a page bears. */
    root?: (from: number) => RawBuilder<unknown>;
  }

  /** Creates numbered comments under an article of their own. */
  async function comments(count: number, { parent, number, root }: Shape) {
    const { id } = await world.article({ username: "person_1" });
    const from = next;
    next += count;
    const insert = sql`
      insert into comments (id, article_id, parent_id, root_id, author_id, body_markdown, body_html, renderer_version)
      select ${number?.(from) ?? sql`${from}::int + n`}, ${id}, ${parent(from)}, ${root?.(from) ?? 0},
        1 + n % ${AUTHORS}::int, 'Words', '<p>Words</p>', 1
      from generate_series(0, ${count}::int - 1) as n`;
    await world.superuser.transaction().execute(async (tx) => {
      if (root !== undefined) await sql`set local session_replication_role = replica`.execute(tx);
      await insert.execute(tx);
    });
    await sql`analyze comments`.execute(world.superuser);
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
  ])("of %s are all in one answer, by one statement", async (_shape, parent) => {
    const { url, first } = await comments(MANY, { parent });
    const counts: number[] = [];
    for (let round = 1; round <= 3; round += 1) {
      // Has no effect without a page, but this answer isn't kept yet.
      const ask = async () => {
        const { status, text } = await world.get(`${url}&per_page=${round}`);
        expect([status, countIn(text)]).toEqual([200, MANY]);
      };
      counts.push(await world.countStatements(ask));
    }
    // One more is for the settings, which are read again after a second.
    expect(Math.min(...counts)).toBe(1);
    const times = { list: Infinity, thread: Infinity };
    for (let round = 0; round < 3; round += 1) {
      await world.forget();
      for (const [what, path] of [
        ["list", url],
        ["thread", `/api/comments/${idCode(first)}`],
      ] as const) {
        const start = performance.now();
        expect((await world.get(path)).status).toBe(200);
        times[what] = Math.min(times[what], performance.now() - start);
      }
    }
    // A walk through all comments for each of them takes a hundred times as long.
    expect(times.thread).toBeLessThan(10 * times.list);
  });

  test("are answered up to a bound, behind which pages lead", async () => {
    const { url, last } = await comments(MAX_COMMENTS + 10, {
      parent: () => sql`null::int`,
      root: (from) => sql`${from}::int + n`,
    });
    const { text, headers } = await world.get(url);
    expect(countIn(text)).toBe(MAX_COMMENTS);
    expect(text).not.toContain(`"${idCode(last)}"`);
    expect(headers["link"]).toBe(`<https://ink.example${url}&page=1>; rel="first"`);
    const { text: page } = await world.get(`${url}&page=26&per_page=1000`);
    expect([countIn(page), page.includes(`"${idCode(last)}"`)]).toEqual([10, true]);
  });

  test("are answered in whole threads, and pages that don't hold theirs go on with smaller ones", async () => {
    const { url, first, last } = await comments(MAX_COMMENTS + 250, {
      parent: (from) => sql`case when n % 99 > 0 then ${from}::int + n - n % 99 end`,
      root: (from) => sql`${from}::int + n - n % 99`,
    });
    const { text, headers } = await world.get(url);
    expect([countIn(text), headers["link"]]).toEqual([
      252 * 99,
      `<https://ink.example${url}&page=1>; rel="first"`,
    ]);
    const pages = [
      await world.get(`${url}&per_page=1000&page=1`),
      await world.get(`${url}&per_page=250&page=2`),
    ];
    const to = (query: string) => `<https://ink.example${url}&${query}>`;
    expect(pages.map(({ headers: { link } }) => link)).toEqual([
      `${to("per_page=1000&page=1")}; rel="first", ${to("per_page=250&page=2")}; rel="next"`,
      `${to("per_page=250&page=1")}; rel="first", ${to("per_page=250&page=1")}; rel="prev"`,
    ]);
    expect(pages.map((page) => countIn(page.text))).toEqual([250 * 99, MAX_COMMENTS + 250 - 250 * 99]);
    const codes = pages.flatMap((page) =>
      [...page.text.matchAll(/"id_code":"(\w+)"/g)].map(([, code]) => code),
    );
    const all = Array.from({ length: last - first + 1 }, (_, n) => idCode(first + n));
    expect([codes.length, new Set(codes)]).toEqual([all.length, new Set(all)]);
  });

  test.each<[string, ((from: number) => RawBuilder<unknown>) | undefined]>([
    ["oldest", undefined],
    ["newest", (from) => sql`${from}::int + ${MAX_COMMENTS + 9}::int - n`],
  ])(
    "of one thread beyond the bound are the oldest, below its root with the %s number, and others are found all the same",
    async (_name, number) => {
      const total = MAX_COMMENTS + 10;
      const root = number ? next + total - 1 : next;
      // The last one answers the one before it.
      const made = number ?? ((from: number) => sql`${from}::int + n`);
      const step = number ? 1 : -1;
      const { url, first, last } = await comments(total, {
        parent: (from) =>
          sql`case n when 0 then null when ${total - 1}::int then ${made(from)} + ${step}::int else ${root}::int end`,
        number: made,
        root: () => sql`${root}::int`,
      });
      for (const path of [url, `${url}&page=1`]) {
        const { text, body } = await world.get(path);
        expect([countIn(text), body]).toMatchObject([MAX_COMMENTS, [{ id_code: idCode(root) }]]);
        expect(text.includes(`"${idCode(last - 1)}"`)).toBe(false);
      }
      const { text } = await world.get(`/api/comments/${idCode(root)}`);
      expect(countIn(text)).toBe(MAX_COMMENTS);
      const [answered, answering] = number ? [first + 1, first] : [last - 1, last];
      const { status, body } = await world.get(`/api/comments/${idCode(answered)}`);
      expect([status, body]).toMatchObject([
        200,
        { id_code: idCode(answered), children: [{ id_code: idCode(answering), children: [] }] },
      ]);
    },
  );
});
