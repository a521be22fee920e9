import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

const COUNT = 48;
/** A little less than an article may have: a number stands before it. */
const BODY_BYTES = 819_200 - 32;

describe("a list of an author's articles that is too large to hold", () => {
  let key: string;
  let statements = 0;
  const world = worldForAll();
  beforeAll(async () => {
    const ada = await world.user({ username: "ada", microblog_username: "ada_blogs" });
    key = await world.key(ada);
    const { id } = await world.article(ada, { slug: "first" });
    await sql`
      insert into articles (author_id, title, slug, state, body_markdown, body_html, description, renderer_version, created_at)
      select author_id, 'Large ' || n, 'large-' || n, 'draft', n || ' ' || repeat(md5(n::text), ${BODY_BYTES / 32}), '', '', 1, now() + n * interval '1 s'
      from articles, generate_series(1, ${COUNT}) as n where id = ${id}`.execute(world.db);
    await world.app.listen({ host: "127.0.0.1", port: 0 });
    world.pool.on("acquire", () => void statements++);
  });
  beforeEach(() => {
    statements = 0;
  });

  async function ask(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
    const { port } = world.app.server.address() as AddressInfo;
    const request = get({
      host: "127.0.0.1",
      port,
      path,
      headers: { "api-key": key, ...headers },
      agent: false,
    });
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    return answer;
  }

  test("is whole, in order and byte for byte", async () => {
    const answer = await ask("/api/articles/me/all?per_page=1000");
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-type": "application/vnd.service.api-v1+json; charset=utf-8",
      "cache-control": "private, no-store",
      vary: "Accept, api-key",
    });
    const items = JSON.parse(await text(answer)) as { title: string; body_markdown: string }[];
    expect(items.map(({ title }) => title)).toEqual([
      ...Array.from({ length: COUNT }, (_, index) => `Large ${COUNT - index}`),
      "Article 1",
    ]);
    for (const { title, body_markdown } of items.slice(0, COUNT)) {
      expect(body_markdown.length).toBe(BODY_BYTES + title.length - "Large".length);
    }
  });

  test("is loaded no faster than its reader takes it", async () => {
    const answer = await ask("/api/articles/me/all?per_page=1000");
    answer.pause();
    await sleep(700);
    // Some portions are on their way in the buffers of the system, but not all of them.
    const loaded = statements;
    expect(loaded).toBeLessThan(COUNT / 3);
    expect(JSON.parse(await text(answer))).toHaveLength(COUNT + 1);
    expect(statements).toBeGreaterThan(loaded);
  });

  test("is loaded no further when its reader goes away", async () => {
    const answer = await ask("/api/articles/me/all?per_page=1000");
    answer.destroy();
    let loaded: number;
    do {
      loaded = statements;
      await sleep(300);
    } while (statements > loaded);
    expect(loaded).toBeLessThan(COUNT / 3);
    expect(world.bugs).toEqual([]);
  });

  test("has the names that clients written for Forem know, in every item", async () => {
    const answer = await ask("/api/articles/me/all?per_page=1000", {
      accept: "application/vnd.forem.api-v1+json",
    });
    const items = JSON.parse(await text(answer)) as { user: object }[];
    expect(items).toHaveLength(COUNT + 1);
    for (const { user } of items) expect(user).toMatchObject({ twitter_username: "ada_blogs" });
  });

  test("has pages like any other", async () => {
    const path = "/api/articles/me/all?per_page=10&page=2";
    const answer = await ask(path);
    expect(answer.headers["link"]).toContain('page=3>; rel="next"');
    const items = JSON.parse(await text(answer)) as { title: string }[];
    expect(items.map(({ title }) => title)).toEqual(
      Array.from({ length: 10 }, (_, index) => `Large ${COUNT - 10 - index}`),
    );
  });
});
