import { describe, expect, test } from "vitest";
import { comments, follows, readingList } from "../actors.ts";
import { hearingForEach, NOW, RULES } from "../events.ts";

const site = hearingForEach();

interface Stage {
  person: { id: number; username: string };
  article: { id: number };
  /** A comment of the person. */
  comment: { id: number };
}

interface Act {
  byKey: [method: string, url: (stage: Stage) => string, body?: (stage: Stage) => object];
  byVerb: (stage: Stage) => Promise<unknown>;
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
const body = { markdown: "Edited", html: "<p>Edited</p>\n" };

const ACTS: Record<string, Act> = {
  "a comment": {
    byKey: [
      "POST",
      () => "/api/comments",
      ({ article }) => ({ comment: { a_id: article.id, body_markdown: "Nice weave" } }),
    ],
    byVerb: ({ person, article }) => site.say(person, article.id),
    sent: ["comment_created"],
    told: ["comment"],
  },
  "an edit": {
    byKey: ["PUT", commentUrl, () => ({ comment: { body_markdown: "Edited" } })],
    byVerb: ({ person, comment }) =>
      comments.edit(site.world.db, { id: comment.id, writer: person, body, now: NOW }),
    sent: [],
    told: [],
  },
  "a deletion": {
    byKey: ["DELETE", commentUrl],
    byVerb: ({ person, comment }) => comments.remove(site.world.db, { id: comment.id, by: person }),
    sent: ["comment_deleted"],
    told: [],
  },
  "a follow": {
    byKey: ["PUT", followUrl],
    byVerb: (stage) => follows.follow(site.world.db, follow(stage), RULES),
    sent: ["follow_created"],
    told: ["follow"],
  },
  "the end of a follow": {
    before: (stage) => follows.follow(site.world.db, follow(stage), RULES),
    byKey: ["DELETE", followUrl],
    byVerb: (stage) => follows.unfollow(site.world.db, follow(stage)),
    sent: [],
    told: [],
  },
  "saving an article": {
    byKey: ["PUT", savedUrl],
    byVerb: (stage) => readingList.save(site.world.db, mark(stage), RULES),
    sent: [],
    told: [],
  },
  "removing a saved article": {
    before: (stage) => readingList.save(site.world.db, mark(stage), RULES),
    byKey: ["DELETE", savedUrl],
    byVerb: (stage) => readingList.unsave(site.world.db, mark(stage), NOW),
    sent: [],
    told: [],
  },
};

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

describe("by key and by its verb the same events, deliveries, notifications and counts come from", () => {
  test.each(Object.entries(ACTS))("%s, once each", async (_, act) => {
    const [method, url, bodyOf] = act.byKey;
    const byKey = await traces(act, (stage) =>
      site.telling.send(stage.person, method, url(stage), bodyOf?.(stage)),
    );
    expect(byKey).toEqual(await traces(act, act.byVerb));
    expect(byKey.events).toHaveLength(1);
    expect([byKey.sent.map(([type]) => type), byKey.told]).toEqual([act.sent, act.told]);
  });
});
