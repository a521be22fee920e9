import { expect, test } from "vitest";
import { worldForAll } from "../../test/world.ts";

const world = worldForAll();

/** The statements that the database gets while a page is made, without those that many pages of a second share. */
async function statementsFor(path: string): Promise<string[]> {
  const seen: string[] = [];
  const client = await world.pool.connect();
  const prototype = Object.getPrototypeOf(client) as { query: (...given: unknown[]) => unknown };
  client.release();
  const { query } = prototype;
  prototype.query = function spied(this: unknown, ...given: unknown[]) {
    const [first] = given;
    seen.push(typeof first === "string" ? first : ((first as { text?: string }).text ?? ""));
    return query.apply(this, given);
  };
  try {
    expect((await world.get(path)).status).toBe(200);
  } finally {
    prototype.query = query;
  }
  return seen.filter((text) => !text.includes('from "settings"') && !text.includes("as sections"));
}

test("the page of an article in a series, with 50 comments, takes three statements", async () => {
  const lena = await world.user({ username: "lena" });
  for (const slug of ["one", "two"]) await world.article(lena, { slug, tags: ["loom"], series: "Weaving" });
  for (let n = 0; n < 50; n += 1) await world.comment(lena, { article: "one", body_markdown: `No ${n}` });
  await world.forget();
  expect(await statementsFor("/lena/one")).toHaveLength(3);
});
