import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Telling, tellingIn } from "../../../test/events.ts";
import { localServer, mailingIn, startMailServer } from "../../../test/mail-server.ts";
import { startWorld, type World } from "../../../test/world.ts";
import { comments } from "../../../test/actors.ts";
import { operator } from "../../http/actor.ts";
import * as choices from "../../mail/choices.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { render } from "../comments/body.ts";
import { suspend } from "../moderation/acts.ts";
import * as notifications from "./notifications.ts";

const NOW = new Date("2026-03-31T12:00:00Z");

interface Person {
  id: number;
  username: string;
}

let world: World;
let telling: Telling;
let mailing: ReturnType<typeof mailingIn>;
let post: Awaited<ReturnType<typeof startMailServer>>;
let serial = 0;
/** Others in every test. */
let ada: Person;
let bob: Person;
let cleo: Person;
let looms: { id: number; path: string };

beforeAll(async () => {
  world = await startWorld({ now: NOW });
  telling = tellingIn(world, NOW);
  mailing = mailingIn(world);
  post = await startMailServer();
});
beforeEach(async () => {
  serial += 1;
  [ada, bob, cleo] = [await person("ada"), await person("bob"), await person("cleo")];
  looms = await telling.publish(ada, "Looms");
  await send();
  post.received.length = 0;
});
afterAll(async () => {
  await post.stop();
  await world.stop();
});

async function person(name: string): Promise<Person> {
  const user = await world.user({ username: `${name}_${serial}`, name });
  const email = `${user.username}@example.com`;
  await world.db.updateTable("users").set({ email }).where("id", "=", user.id).execute();
  return user;
}

async function say(writer: Person, markdown: string, parentId?: number): Promise<number> {
  const body = await render(world.db, world.services.renderPool, markdown);
  const wanted = { writer, target: { article_id: looms.id }, parentId, body };
  const { id } = await inTransaction(world.db, (tx) => comments.write(tx, wanted, { now: NOW }));
  return id;
}

/** Who got which emails since the last call. */
async function send() {
  await telling.fanOut();
  await mailing.send({ server: localServer(post.port) });
  return post.received
    .splice(0)
    .map(({ to: [to], mail }) => `${to?.replace(/_.*/, "")}: ${mail.subject}`)
    .toSorted();
}

const turn = ({ id: userId }: Person, kind: "mention" | "comment_reply", isOn: boolean) =>
  choices.turn(world.db, { userId, kind }, isOn);

describe("an email tells", () => {
  test("authors of comments and replies, each once, and not of their own", async () => {
    const first = await say(bob, "Nice weave");
    expect(await send()).toEqual(["ada: bob commented on “Looms”"]);
    const second = await say(ada, "**Thanks**,\n\nand <b>more</b>", first);
    await telling.fanOut();
    await mailing.send({ server: localServer(post.port) });
    const [reply] = post.received.splice(0);
    expect([reply?.to, reply?.mail.subject]).toEqual([
      [`${bob.username}@example.com`],
      "ada replied to your comment on “Looms”",
    ]);
    expect(reply?.mail.text).toContain(
      `Thanks, and more\n\nRead it on the site:\nhttps://ink.example/comments/${second.toString(26)}\n`,
    );
    expect(await send()).toEqual([]);
  });

  test("those whom a comment or an article mentions, if they want it, and only once", async () => {
    await turn(cleo, "mention", true);
    const id = await say(bob, `See @${cleo.username}`);
    expect(await send()).toEqual([
      "ada: bob commented on “Looms”",
      "cleo: bob mentioned you in a comment on “Looms”",
    ]);
    const body = await render(world.db, world.services.renderPool, `See @${cleo.username}, @${ada.username}`);
    await inTransaction(world.db, (tx) => comments.edit(tx, { id, writer: bob, body, now: NOW }));
    const article = { title: "Warps", body_markdown: `@${cleo.username} @${bob.username}` };
    const warps = await telling.publish(ada, "Warps", article);
    expect(await send()).toEqual(["cleo: ada mentioned you in “Warps”"]);
    await telling.send(ada, "PUT", `/api/articles/${warps.id}`, { article: { published: false } });
    await telling.fanOut();
    await telling.send(ada, "PUT", `/api/articles/${warps.id}`, { article: { published: true } });
    await telling.send(ada, "PUT", `/api/articles/${warps.id}`, { article: { title: "The warps" } });
    expect(await send()).toEqual([]);
  });
});

describe("no email goes", () => {
  test("to those who have turned it off, are suspended or have no address", async () => {
    const [of_bob, of_cleo, of_dora] = [
      await say(bob, "One"),
      await say(cleo, "Two"),
      await say(await world.user(), "Three"),
    ];
    await send();
    await turn(bob, "comment_reply", false);
    await suspend(operator(world.db), { id: cleo.id });
    for (const parent of [of_bob, of_cleo, of_dora]) await say(ada, "Thanks", parent);
    expect(await send()).toEqual(["cleo: Your account is suspended for good on Inkstone"]);
    expect((await mailing.mails()).filter(({ state }) => state !== "sent")).toEqual([]);
    await turn(bob, "comment_reply", true);
    await say(ada, "Again", of_bob);
    expect(await send()).toEqual(["bob: ada replied to your comment on “Looms”"]);
  });

  test.each<[string, (id: number) => Promise<unknown>]>([
    [
      "that is read",
      (): Promise<unknown> => inTransaction(world.db, (tx) => notifications.markAllRead(tx, ada.id, NOW)),
    ],
    [
      "whose comment is deleted",
      (id) => inTransaction(world.db, (tx) => comments.remove(tx, { id, by: "operator" })),
    ],
    [
      "whose comment is hidden",
      (id) => inTransaction(world.db, (tx) => comments.setHidden(tx, { id, by: ada, hidden: true })),
    ],
    [
      "whose article is unpublished",
      () => telling.send(ada, "PUT", `/api/articles/${looms.id}`, { article: { published: false } }),
    ],
    ["whose article is deleted", () => telling.send(ada, "DELETE", `/api/articles/${looms.id}`)],
  ])("about a notification %s before", async (_state, act) => {
    const id = await say(bob, "One");
    await telling.fanOut();
    await act(id);
    // The author of a comment that staff delete gets one of that.
    expect((await send()).filter((email) => email !== "bob: Your comment was deleted on Inkstone")).toEqual(
      [],
    );
    expect((await mailing.mails()).filter(({ state }) => state !== "sent")).toEqual([]);
  });
});
