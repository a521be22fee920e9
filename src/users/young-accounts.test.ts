import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authorOf } from "../../test/actors.ts";
import { startWorld, type World } from "../../test/world.ts";
import { operator } from "../actor.ts";
import * as comments from "../comments/comments.ts";
import { inTransaction } from "../db/transaction.ts";
import * as sessions from "./sessions.ts";
import * as users from "./users.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const before = (seconds: number) => new Date(NOW.getTime() - 1_000 * seconds);
const DAYS = 86_400;

let world: World;
let articleId: number;
let young: number;

beforeAll(async () => {
  world = await startWorld({ now: NOW });
  articleId = (
    await world.article(await world.user({ username: "lena" }), { published_at: "2026-03-01T00:00:00Z" })
  ).id;
  young = await person("mo", {});
});
afterAll(() => world.stop());

async function person(
  username: string,
  { role = "member", origin = "registration", created_at = before(3 * DAYS - 1) },
): Promise<number> {
  const { id } = await world.user({ username, role });
  await world.db.updateTable("users").set({ origin, created_at }).where("id", "=", id).execute();
  return id;
}

const author = (id: number) =>
  authorOf(
    world.db,
    { id },
    { now: NOW, renderer: world.services.renderPool, run: (write) => inTransaction(world.db, write) },
  );

const comment = (id: number, markdown: string) =>
  comments.create(author(id), { target: { article_id: articleId }, markdown });

async function saveSummary(id: number, summary: string) {
  const token = await sessions.begin(world.db, { userId: id, network: "", browser: "" }, NOW);
  const { status, text } = await world.request({
    method: "POST",
    url: "/settings/profile",
    headers: { cookie: `__Host-session=${token}`, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ name: "Mo", summary }).toString(),
  });
  return { status, text };
}

const links = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://shop.example/${index}`).join(" ");

const refusal = (field: string) =>
  `${field} has 4 links, but may have at most 3 links while an account is younger than 3 days`;

describe("an account that was registered less than 3 days ago", () => {
  test.each([
    ["addresses", links(4)],
    ["links of Markdown", "[a](https://a.example) [b](//b.example) <http://c.example> www.d.example"],
    [
      "pictures that are links",
      Array(4).fill("[![a](https://a.example/a.png)](https://a.example)").join(" "),
    ],
    ["HTML", Array(4).fill('<a href="https://a.example">a</a>').join(" ")],
    ["references", "[a][1] [b][1] [c][1] [d][1]\n\n[1]: https://a.example"],
    ["cards", Array(4).fill("{% embed https://a.example/b %}").join("\n\n")],
  ])("writes no comment with four links as %s", async (_, markdown) => {
    const stored = () => world.db.selectFrom("comments").selectAll().execute();
    const earlier = await stored();
    await expect(comment(young, markdown)).rejects.toMatchObject({
      code: "invalid",
      message: refusal("Body markdown"),
      fields: { body_markdown: [refusal("").trim()] },
    });
    expect(await stored()).toEqual(earlier);
  });

  test.each([
    ["three links", links(3)],
    ["code", `\`${links(2)}\` ${links(3)}`],
    ["mentions and links to places here", `@lena @mo @lena [a](/lena) [b](#c) ${links(3)}`],
    ["pictures", `${"![a](https://a.example/a.png) ".repeat(5)} ${links(3)}`],
    ["mail addresses", `a@b.example b@b.example ${links(3)}`],
  ])("writes a comment with %s", async (_, markdown) => {
    const { id } = await comment(young, markdown);
    await expect(comments.edit(author(young), { id, markdown: links(4) })).rejects.toThrow(
      refusal("Body markdown"),
    );
    await comments.edit(author(young), { id, markdown: `${links(3)} edited` });
  });

  test.each([links(4), "http://www.a.example,https://b.example,www.c.example,HTTPS://d.example"])(
    "has no summary like %s",
    async (summary) => {
      expect((await saveSummary(young, links(3))).status).toBe(303);
      const { status, text } = await saveSummary(young, summary);
      expect(status).toBe(422);
      expect(text).toContain(`<p class="fault" id="summary-fault">${refusal("Summary")}</p>`);
      expect((await users.findProfile(world.db, young))?.summary).toBe(links(3));
    },
  );

  test("keeps what an operator wrote", async () => {
    await users.edit(operator(world.db), { id: young, change: { summary: links(5) } });
    expect((await saveSummary(young, links(5))).status).toBe(303);
  });
});

test.each([
  ["one that is 3 days old", { created_at: before(3 * DAYS) }],
  ["an imported one", { origin: "import" }],
  ["one of a command", { origin: "operator" }],
  ["a moderator's", { role: "moderator" }],
  ["an admin's", { role: "admin" }],
])("an account such as %s has no such limit", async (name, of) => {
  const id = await person(`mo_${name.replaceAll(/\W/g, "")}`.slice(0, 30), of);
  await comment(id, links(9));
  expect((await saveSummary(id, links(9))).status).toBe(303);
});
