import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";
import { render } from "../comments/body.ts";
import { comments } from "../../../test/actors.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as notifications from "./notifications.ts";
import { notification } from "./view.ts";

const NOW = new Date("2026-03-31T12:00:00.250Z");

interface Person {
  id: number;
  username: string;
}

describe("people are told of comments", () => {
  let ada: Person;
  let bob: Person;
  let cleo: Person;
  let article: { id: number; slug: string };
  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    ada = await world.user({ username: "ada", name: "Ada" });
    bob = await world.user({ username: "bob", name: "Bob" });
    cleo = await world.user({ username: "cleo", name: "Cleo" });
  });
  beforeEach(async () => {
    await fanOut();
    await world.db.deleteFrom("notifications").execute();
    article = await world.article(ada, { title: "Looms" });
  });

  async function say(who: Person, markdown: string, parentId?: number, target?: { episode_id: number }) {
    const body = await render(world.db, world.services.renderPool, markdown);
    const wanted = { writer: who, target: target ?? { article_id: article.id }, parentId, body };
    const { id } = await inTransaction(world.db, (tx) => comments.write(tx, wanted, { now: NOW }));
    return id;
  }
  const fanOut = () => notifications.fanOut(world.db, NOW);
  const kindsOf = async ({ id }: Person) =>
    (await notifications.list(world.db, id, 100)).map(({ kind }) => kind);

  test("under their articles, in answer to theirs, and in which they are named: once, and not of their own", async () => {
    const first = await say(bob, "Nice weave, @bob and @cleo");
    expect(await fanOut()).toBe(1);
    expect((await notifications.list(world.db, ada.id, 9)).map(notification)).toEqual([
      {
        id: expect.any(Number),
        kind: "comment",
        created_at: "2026-03-31T12:00:00Z",
        read_at: null,
        article_id: article.id,
        id_code: first.toString(26),
        title: "Looms",
        path: `/ada/${article.slug}`,
      },
    ]);
    expect([await kindsOf(bob), await kindsOf(cleo)]).toEqual([[], ["mention"]]);
    const second = await say(cleo, "@bob @ada: it is", first);
    await say(ada, "Thanks", second);
    await fanOut();
    expect([await kindsOf(ada), await kindsOf(bob), await kindsOf(cleo)]).toEqual([
      ["comment", "comment"],
      ["reply"],
      ["reply", "mention"],
    ]);
  });

  test("once, also when it is edited, and then only whom it names", async () => {
    const id = await say(bob, "First");
    await fanOut();
    await world.db.deleteFrom("notifications").execute();
    const body = await render(world.db, world.services.renderPool, "First, @cleo");
    await inTransaction(world.db, (tx) => comments.edit(tx, { id, writer: bob, body, now: NOW }));
    await Promise.all([fanOut(), fanOut(), fanOut()]);
    expect([await kindsOf(ada), await kindsOf(cleo)]).toEqual([[], ["mention"]]);
  });

  test("no longer than others can read it", async () => {
    const [removed, hidden, kept] = [await say(bob, "One"), await say(bob, "Two"), await say(bob, "Three")];
    await inTransaction(world.db, (tx) => comments.remove(tx, { id: removed, by: "operator" }));
    await fanOut();
    await inTransaction(world.db, (tx) => comments.setHidden(tx, { id: hidden, by: ada, hidden: true }));
    expect((await notifications.list(world.db, ada.id, 9)).map(({ comment_id }) => comment_id)).toEqual([
      kept,
    ]);
    await world.db
      .updateTable("articles")
      .set({ state: "unpublished" })
      .where("id", "=", article.id)
      .execute();
    expect(await kindsOf(ada)).toEqual([]);
  });

  test("not by an import", async () => {
    await world.comment(bob, { article: article.slug, body_markdown: "@cleo" });
    expect([await fanOut(), await kindsOf(ada), await kindsOf(cleo)]).toEqual([0, [], []]);
  });

  test("on their podcasts", async () => {
    await world.podcast({ slug: "loomcast", owner: "ada" });
    const { id: episode_id } = await world.episode("loomcast", { slug: "ep-1", title: "The weft" });
    const id = await say(bob, "Well said", undefined, { episode_id });
    await fanOut();
    expect((await notifications.list(world.db, ada.id, 9)).map(notification)).toMatchObject([
      { kind: "comment", id_code: id.toString(26), title: "The weft", path: "/loomcast/ep-1" },
    ]);
  });
});
