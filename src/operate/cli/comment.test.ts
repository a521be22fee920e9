import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { commandsWith, urlOf } from "../../../test/commands.ts";
import { worldForAll } from "../../../test/world.ts";

const inkstone = commandsWith(() => ({ DATABASE_URL: urlOf(world.name) }));
const lena = { username: "lena" };
let article: { id: number; slug: string };

const world = worldForAll();
beforeAll(async () => {
  await world.user(lena);
});
beforeEach(async () => {
  article = await world.article(lena);
});

/** A comment with an answer to it, and the code of the first. */
async function say(body_markdown: string, more: { id_code?: string } = {}): Promise<string> {
  const { code } = await world.comment(lena, { article: article.slug, body_markdown, ...more });
  await world.comment(lena, { article: article.slug, parent: code });
  return code;
}

/** Asks a server that runs meanwhile, and shows a change within a second. */
const shown = async () => (await world.get(`/api/comments?a_id=${article.id}`)).body;

const done = (out: string) => ({ code: 0, out: `${out}\n`, err: "" });
const failed = (sentence: string) => ({ code: 1, out: "", err: `inkstone: ${sentence}\n` });

describe("inkstone comment", () => {
  test("delete takes a comment's words and name back, and keeps the answers to it", async () => {
    const code = await say("Buy cheap looms", { id_code: "m35m" });
    await expect.poll(shown).toMatchObject([{ body_html: "<p>Buy cheap looms</p>\n" }]);
    expect(await inkstone("comment", "delete", code.toUpperCase())).toEqual(
      done(`Comment ${code} is deleted.`),
    );
    await expect.poll(shown).toEqual([
      {
        type_of: "comment",
        id_code: code,
        created_at: expect.any(String),
        deleted: true,
        children: [expect.objectContaining({ user: expect.objectContaining(lena) })],
      },
    ]);
    const { body } = await world.get(`/api/articles/${article.id}`);
    expect(body).toMatchObject({ comments_count: 1 });
    expect(await inkstone("comment", "delete", code)).toEqual(done(`Comment ${code} is deleted already.`));
    const { out } = await inkstone("comment", "delete", code, "--json");
    expect(JSON.parse(out)).toEqual({ id_code: code, deleted: true, changed: false });
  });

  test("hide and unhide take a comment from its readers and give it back", async () => {
    const code = await say("Rude words");
    expect(await inkstone("comment", "unhide", code)).toEqual(done(`Comment ${code} isn't hidden.`));
    expect(await inkstone("comment", "hide", code)).toEqual(done(`Comment ${code} is hidden.`));
    await expect.poll(shown).toMatchObject([{ id_code: code, hidden: true, children: [{}] }]);
    expect(await inkstone("comment", "hide", code)).toEqual(done(`Comment ${code} is hidden already.`));
    const { out } = await inkstone("comment", "unhide", code, "--json");
    expect(JSON.parse(out)).toEqual({ id_code: code, hidden: false, changed: true });
    await expect.poll(shown).toMatchObject([{ body_html: "<p>Rude words</p>\n" }]);
  });

  test("hide has nothing to do with what is deleted", async () => {
    const code = await say("Gone");
    await inkstone("comment", "delete", code);
    const sentence = "The comment is deleted: nothing of it is left to be hidden or shown.";
    expect(await inkstone("comment", "hide", code)).toEqual(failed(sentence));
  });

  test.each(["delete", "hide", "unhide"])("%s says when there is none", async (command) => {
    expect(await inkstone("comment", command, "pm35m")).toEqual(failed('There is no comment "pm35m".'));
    const { out, err } = await inkstone("comment", command, "pm35m", "--json");
    expect([out, JSON.parse(err)]).toEqual(["", { error: 'There is no comment "pm35m".' }]);
    expect(await inkstone("comment", command, "loom!")).toMatchObject({
      code: 2,
      err: expect.stringContaining("It must be the id_code of a comment, such as m35m"),
    });
  });
});
