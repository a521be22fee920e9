import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { operator } from "../../http/actor.ts";
import { worldForAll } from "../../../test/world.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { changeRole } from "../users/moderation.ts";
import { render } from "./body.ts";
import { type By, comments } from "../../../test/actors.ts";
import { removeByAuthors } from "./comments.ts";

const NO_PERMISSION = "The account of this API key lacks the permission for this.";

const NOW = new Date("2026-03-31T12:00:00.250Z");
const LATER = new Date("2026-03-31T12:30:00Z");

describe("people who comment", () => {
  let ada: { id: number; username: string };
  let bob: { id: number; username: string };
  let article: { id: number };
  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    ada = await world.user({ username: "ada", name: "Ada" });
    bob = await world.user({ username: "bob", name: "Bob" });
  });
  beforeEach(async () => void (article = await world.article(ada, { published_at: "2026-03-01T00:00:00Z" })));

  const bodyOf = (markdown: string) => render(world.db, world.services.renderPool, markdown);
  const under = (id: number, parentId?: number) => ({ target: { article_id: id }, parentId });
  async function say(
    who: { id: number },
    markdown: string,
    { target, parentId } = under(article.id),
    { now = NOW }: { now?: Date } = {},
  ) {
    const body = await bodyOf(markdown);
    return inTransaction(world.db, (tx) =>
      comments.write(tx, { writer: who, target, parentId, body }, { now }),
    );
  }
  const remove = (id: number, by: By) => inTransaction(world.db, (tx) => comments.remove(tx, { id, by }));
  const hide = (id: number, by: By, hidden = true) =>
    inTransaction(world.db, (tx) => comments.setHidden(tx, { id, by, hidden }));
  async function edit(id: number, who: { id: number }, markdown: string) {
    const body = await bodyOf(markdown);
    await inTransaction(world.db, (tx) => comments.edit(tx, { id, writer: who, body, now: LATER }));
  }

  const shown = async () => (await world.get(`/api/comments?a_id=${article.id}`)).body as unknown[];
  const counted = async () => {
    const { body } = await world.get(`/api/articles/${article.id}`);
    const { comments_count, last_comment_at } = body as { comments_count: number; last_comment_at: string };
    return [comments_count, last_comment_at];
  };
  const eventsOf = async () =>
    (await world.db.selectFrom("events").select(["type", "payload"]).orderBy("id").execute()).filter(
      ({ type, payload }) =>
        type.startsWith("comment_") && (payload as { article_id?: number }).article_id === article.id,
    );
  const rows = () =>
    world.db.selectFrom("comments").selectAll().where("article_id", "=", article.id).orderBy("id").execute();
  /** The message of a refusal that changed nothing. */
  async function refusal(work: () => Promise<unknown>): Promise<string> {
    const before = [await rows(), await counted(), await eventsOf()];
    const error: unknown = await work().catch((thrown: unknown) => thrown);
    expect([await rows(), await counted(), await eventsOf()]).toEqual(before);
    return error instanceof AppError ? error.message : `no refusal: ${String(error)}`;
  }

  test("are read at once, counted, and in the outbox", async () => {
    const first = await say(bob, "Nice *weave*, @ada");
    const answer = await say(ada, "Thanks", under(article.id, first.id), { now: LATER });
    expect(await shown()).toEqual([
      {
        type_of: "comment",
        id_code: first.id.toString(26),
        created_at: "2026-03-31T12:00:00Z",
        body_html: '<p>Nice <em>weave</em>, <a href="/ada">@ada</a></p>\n',
        user: expect.objectContaining({ username: "bob", name: "Bob", user_id: bob.id }),
        children: [expect.objectContaining({ body_html: "<p>Thanks</p>\n", children: [] })],
      },
    ]);
    expect(await counted()).toEqual([2, "2026-03-31T12:30:00Z"]);
    expect(await eventsOf()).toEqual(
      [first, answer].map(({ id }) => ({
        type: "comment_created",
        payload: { comment_id: id, article_id: article.id },
      })),
    );
    expect(await rows()).toMatchObject([
      { root_id: first.id, score: 1 },
      { root_id: first.id, parent_id: first.id },
    ]);
  });

  test("take their words back, but not the answers to them", async () => {
    const first = await say(bob, "Secret words");
    const answer = await say(ada, "Really?", under(article.id, first.id), { now: LATER });
    await remove(first.id, bob);
    expect(await shown()).toEqual([
      {
        type_of: "comment",
        id_code: first.id.toString(26),
        created_at: "2026-03-31T12:00:00Z",
        deleted: true,
        children: [expect.objectContaining({ id_code: answer.id.toString(26) })],
      },
    ]);
    expect(await counted()).toEqual([1, "2026-03-31T12:30:00Z"]);
    await remove(answer.id, ada);
    expect(await counted()).toEqual([0, "2026-03-01T00:00:00Z"]);
    expect((await eventsOf()).map(({ type }) => type)).toEqual([
      "comment_created",
      "comment_created",
      "comment_deleted",
      "comment_deleted",
    ]);
  });

  test("edit their own words, and only a change is one", async () => {
    const { id } = await say(bob, "Frist");
    await edit(id, bob, "First");
    await edit(id, bob, "First");
    expect(await shown()).toMatchObject([{ body_html: "<p>First</p>\n" }]);
    expect(await rows()).toMatchObject([{ edited_at: LATER, body_markdown: "First" }]);
    expect((await eventsOf()).map(({ type }) => type)).toEqual(["comment_created", "comment_updated"]);
  });

  test("are hidden and shown again by the author of the article, and counted all the same", async () => {
    const { id } = await say(bob, "Rude words");
    await hide(id, ada);
    const hidden = { type_of: "comment", hidden: true, children: [] };
    expect(await shown()).toEqual([expect.objectContaining(hidden)]);
    expect(JSON.stringify(await shown())).not.toMatch(/Rude|bob/);
    expect((await counted())[0]).toBe(1);
    await hide(id, ada, false);
    expect(await shown()).toMatchObject([{ body_html: "<p>Rude words</p>\n", user: { username: "bob" } }]);
  });

  test("have their comments removed by moderators and admins, as long as they are", async () => {
    const moderator = await world.user({ role: "moderator" });
    const said = [await say(bob, "One"), await say(bob, "Two"), await say(bob, "Three")];
    const [one, two, three] = said.map(({ id }) => id) as [number, number, number];
    await remove(one, moderator);
    await remove(two, await world.user({ role: "admin" }));
    expect((await counted())[0]).toBe(1);
    await changeRole(operator(world.db), { id: moderator.id, role: "member" });
    expect(await refusal(() => remove(three, moderator))).toBe("not found");
  });

  test("have their comments removed, hidden and shown by the operator, wherever they stand", async () => {
    const { id } = await say(bob, "Rude words");
    expect([await hide(id, "operator"), await hide(id, "operator")]).toEqual([true, false]);
    expect(await shown()).toMatchObject([{ hidden: true }]);
    expect([await hide(id, "operator", false), await hide(id, "operator", false)]).toEqual([true, false]);
    expect(await shown()).toMatchObject([{ body_html: "<p>Rude words</p>\n" }]);
    await world.db
      .updateTable("articles")
      .set({ state: "unpublished" })
      .where("id", "=", article.id)
      .execute();
    expect([await remove(id, "operator"), await remove(id, "operator")]).toEqual([true, false]);
    expect(await rows()).toMatchObject([{ deleted: true, hidden: false }]);
    expect((await eventsOf()).map(({ type }) => type)).toEqual([
      "comment_created",
      "comment_updated",
      "comment_updated",
      "comment_deleted",
    ]);
    await expect(hide(id, "operator")).rejects.toThrow("is deleted");
    await expect(remove(12_345, "operator")).rejects.toThrow("not found");
  });

  test("may not do what is others' to do", async () => {
    const { id } = await say(bob, "Mine");
    const cleo = await world.user({ username: "cleo" });
    expect(await refusal(() => edit(id, ada, "Yours"))).toBe("not found");
    expect(await refusal(() => remove(id, ada))).toBe("not found");
    expect(await refusal(() => remove(id, cleo))).toBe("not found");
    expect(await refusal(() => hide(id, bob))).toBe("not found");
    expect(await refusal(() => remove(12_345, bob))).toBe("not found");
  });

  test("may not touch what is deleted", async () => {
    const { id } = await say(bob, "Mine");
    await remove(id, bob);
    expect(await refusal(() => remove(id, bob))).toBe("not found");
    expect(await refusal(() => edit(id, bob, "Again"))).toBe("not found");
    expect(await refusal(() => hide(id, ada))).toBe("not found");
    expect(await refusal(() => say(ada, "What?", under(article.id, id)))).toContain("was deleted");
  });

  test("may not answer under another article", async () => {
    const other = await world.article(ada, { slug: "other-1a" });
    const { id } = await say(bob, "Mine");
    expect(await refusal(() => say(ada, "Lost", under(other.id, id)))).toBe("not found");
    expect(await refusal(() => say(ada, "Lost", under(article.id, 12_345)))).toBe("not found");
  });

  test("may not comment on what isn't published", async () => {
    const { id } = await say(bob, "Before");
    for (const state of ["draft", "scheduled", "unpublished"]) {
      const hidden = await world.article(ada, { slug: `${state}-1a`, published: false });
      await world.db
        .updateTable("articles")
        .set({ state, published_at: NOW })
        .where("id", "=", hidden.id)
        .execute();
      expect(await refusal(() => say(ada, "Psst", under(hidden.id)))).toBe("not found");
    }
    expect(await refusal(() => say(ada, "Psst", under(12_345)))).toBe("not found");
    await world.db
      .updateTable("articles")
      .set({ state: "unpublished" })
      .where("id", "=", article.id)
      .execute();
    const refused = await edit(id, bob, "After").catch((error: Error) => error.message);
    expect(refused).toBe("not found");
    // What one said can be taken back wherever it stands.
    await remove(id, bob);
    expect(await rows()).toMatchObject([{ deleted: true }]);
  });

  test("may not write while they are suspended", async () => {
    const sue = await world.user({ username: "sue" });
    const { id } = await say(sue, "Before");
    await world.user({ username: "sue", suspended: true });
    expect(await refusal(() => say(sue, "After"))).toBe(NO_PERMISSION);
    expect(await refusal(() => edit(id, sue, "After"))).toBe(NO_PERMISSION);
    expect(await refusal(() => remove(id, sue))).toBe(NO_PERMISSION);
    expect(await shown()).toMatchObject([{ user: { username: "sue" } }]);
  });

  test("leave with everything that was answered to them when their accounts are removed, and are not counted", async () => {
    const gone = await world.user();
    const { id } = await say(gone, "Mine");
    await say(ada, "An answer", under(article.id, id));
    await say(ada, "Another", under(article.id), { now: LATER });
    expect(await inTransaction(world.db, (tx) => removeByAuthors(tx, [gone.id]))).toBe(1);
    expect(await shown()).toMatchObject([{ body_html: "<p>Another</p>\n" }]);
    expect(await counted()).toEqual([1, "2026-03-31T12:30:00Z"]);
  });
});
