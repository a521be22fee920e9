import { describe, expect, test } from "vitest";
import { cookieFor, postForm } from "../accounts.ts";
import { follows, readingList } from "../actors.ts";
import { hearingForEach, RULES } from "../events.ts";

const site = hearingForEach();

interface Stage {
  person: { id: number; username: string };
  article: { id: number };
  /** A comment of the person. */
  comment: { id: number };
}

interface Act {
  byKey: [method: string, url: (stage: Stage) => string, body?: (stage: Stage) => object];
  byPage: (stage: Stage) => [url: string, values: Record<string, string>];
  before?: (stage: Stage) => Promise<unknown>;
  /** What ada's endpoint and ada get. */
  sent: string[];
  told: string[];
}

const commentUrl = ({ comment }: Stage) => `/api/comments/${comment.id.toString(26)}`;
const savedUrl = ({ article }: Stage) => `/api/readinglist/${article.id}`;
const followUrl = () => `/api/follows/users/${site.ada.username}`;
const follow = ({ person }: Stage) => ({ followerId: person.id, target: { userId: site.ada.id } });
const mark = ({ person, article }: Stage) => ({ userId: person.id, articleId: article.id });

const ACTS: Record<string, Act> = {
  "a comment": {
    byKey: [
      "POST",
      () => "/api/comments",
      ({ article }) => ({ comment: { a_id: article.id, body_markdown: "Nice weave" } }),
    ],
    byPage: ({ article }) => ["/comments/new", { article: String(article.id), body_markdown: "Nice weave" }],
    sent: ["comment_created"],
    told: ["comment"],
  },
  "an edit": {
    byKey: ["PUT", commentUrl, () => ({ comment: { body_markdown: "Edited" } })],
    byPage: ({ comment }) => [`/comments/${comment.id.toString(26)}/edit`, { body_markdown: "Edited" }],
    sent: [],
    told: [],
  },
  "a deletion": {
    byKey: ["DELETE", commentUrl],
    byPage: ({ comment }) => [`/comments/${comment.id.toString(26)}/delete`, {}],
    sent: ["comment_deleted"],
    told: [],
  },
  "a follow": {
    byKey: ["PUT", followUrl],
    byPage: () => [`/take-part/follow-user/${site.ada.id}`, { on: "1" }],
    sent: ["follow_created"],
    told: ["follow"],
  },
  "the end of a follow": {
    before: (stage) => follows.follow(site.world.db, follow(stage), RULES),
    byKey: ["DELETE", followUrl],
    byPage: () => [`/take-part/follow-user/${site.ada.id}`, { on: "0" }],
    sent: [],
    told: [],
  },
  "saving an article": {
    byKey: ["PUT", savedUrl],
    byPage: ({ article }) => [`/take-part/readinglist/${article.id}`, { on: "1" }],
    sent: [],
    told: [],
  },
  "removing a saved article": {
    before: (stage) => readingList.save(site.world.db, mark(stage), RULES),
    byKey: ["DELETE", savedUrl],
    byPage: ({ article }) => [`/take-part/readinglist/${article.id}`, { on: "0" }],
    sent: [],
    told: [],
  },
};

/** Sends a form of a page. */
async function send({ person }: Stage, url: string, values: Record<string, string>): Promise<void> {
  const cookie = await cookieFor(site.world, person.id);
  const { status } = await postForm(site.world, url, values, { accept: "text/html", cookie });
  expect([url, status]).toEqual([url, 303]);
}

/** What an act of another person on another article leaves behind, without ids. */
async function traces({ before }: Act, act: (stage: Stage) => Promise<unknown>) {
  const { world, telling, ada } = site;
  const person = await world.user({ name: "Cleo" });
  const article = await world.article(ada);
  const comment = await site.say(person, article.id, "Before");
  const stage = { person, article, comment };
  await before?.(stage);
  await telling.fanOut();
  await site.sent();
  const shown = async () => (await telling.shown(ada)).map(({ id }) => id);
  const [events, known] = [await eventIds(), await shown()];
  await act(stage);
  await telling.fanOut();
  const { body } = await world.get(`/api/articles/${article.id}`);
  const { comments_count, public_reactions_count } = body as Record<string, unknown>;
  const recorded = await world.db.selectFrom("events").select(["id", "type"]).orderBy("id").execute();
  return {
    events: recorded
      .filter(({ id, type }) => !events.includes(id) && type !== "api_key_created")
      .map(({ type }) => type),
    sent: (await site.sent()).map(({ type, data }) => [type, Object.keys(data)]),
    told: (await telling.shown(ada)).filter(({ id }) => !known.includes(id)).map(({ kind }) => kind),
    counts: { comments_count, public_reactions_count },
  };
}

const eventIds = async () =>
  (await site.world.db.selectFrom("events").select("id").execute()).map(({ id }) => id);

describe("by key and by page the same events, deliveries, notifications and counts come from", () => {
  test.each(Object.entries(ACTS))("%s, once each", async (_, act) => {
    const [method, url, bodyOf] = act.byKey;
    const byKey = await traces(act, (stage) =>
      site.telling.send(stage.person, method, url(stage), bodyOf?.(stage)),
    );
    expect(byKey).toEqual(await traces(act, (stage) => send(stage, ...act.byPage(stage))));
    expect(byKey.events).toHaveLength(1);
    expect([byKey.sent.map(([type]) => type), byKey.told]).toEqual([act.sent, act.told]);
  });
});
