import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { render } from "./body.ts";
import { comments } from "../../../test/actors.ts";

describe("what people say in comments", () => {
  let bob: { id: number; username: string };
  let article: { id: number };
  const world = worldForAll();
  beforeAll(async () => void (bob = await world.user({ username: "bob" })));
  beforeEach(async () => void (article = await world.article(bob)));

  async function say(markdown: string): Promise<void> {
    const body = await render(world.db, world.services.renderPool, markdown);
    const wanted = { writer: bob, target: { article_id: article.id }, body };
    await inTransaction(world.db, (tx) => comments.write(tx, wanted, { now: new Date() }));
  }
  const shown = async () =>
    (await world.get(`/api/comments?a_id=${article.id}`)).body as { body_html: string }[];

  test("can't do harm by markup", async () => {
    await say('a <script>alert(1)</script><img src=x onerror="alert(1)"> [b](javascript:alert(1))');
    expect(JSON.stringify(await shown())).not.toMatch(/<script|onerror|href/);
  });

  test("isn't taken for front matter", async () => {
    await say("---\ntitle: x\n---\nwords");
    expect(await shown()).toMatchObject([{ body_html: expect.stringContaining("title: x") }]);
  });

  test.each([
    ["", "Body markdown can't be blank"],
    [" \n\t ", "Body markdown can't be blank"],
    ["x".repeat(25_001), "Body markdown is too long (maximum is 25000 characters)"],
    ["a\0b", "Body markdown contains a NUL character: leave it out"],
  ])("is something that can be kept: %#", async (markdown, sentence) => {
    await expect(say(markdown)).rejects.toMatchObject({ code: "invalid", message: sentence });
    expect(await shown()).toEqual([]);
  });

  test("has up to 25,000 characters of any kind", async () => {
    await say("🦊".repeat(25_000));
    expect(await shown()).toMatchObject([{ body_html: expect.stringMatching(/^<p>(🦊){25000}<\/p>\n$/u) }]);
  });

  test("names at most seven people", async () => {
    const names = Array.from({ length: 8 }, (_, n) => `person${n}`);
    for (const username of names) await world.user({ username });
    const mention = (count: number) =>
      names
        .slice(0, count)
        .map((name) => `@${name}`)
        .join(" ");
    const sentence = "You cannot mention more than 7 users in a comment";
    await expect(say(mention(8))).rejects.toMatchObject({ code: "invalid", message: sentence });
    await say(`${mention(7)} @nobody1 @nobody2`);
    expect(await shown()).toHaveLength(1);
  });
});
