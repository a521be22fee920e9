import { beforeAll, expect, test } from "vitest";
import { atOnce, untilWaiting } from "../../../test/waiting.ts";
import { faultsIn } from "../../../test/health.ts";
import { importAround, withoutWaiting } from "../../../test/community-file.ts";
import { type World, worldForAll } from "../../../test/world.ts";
import { verify } from "../../operate/health/invariants.ts";
import { comments, type Reaction, reactions } from "../../../test/actors.ts";

type Person = Awaited<ReturnType<World["user"]>>;

let people: Person[];
const world = worldForAll();
beforeAll(async () => {
  people = [];
  for (let n = 0; n < 12; n++) people.push(await world.user());
});

const rules = () => ({ now: new Date(), limit: 100 });
const like = (person: Person, target: Reaction["target"]) => ({
  userId: person.id,
  target,
  category: "like" as const,
});

async function site() {
  const [author, ...readers] = people as [Person, ...Person[]];
  const articles = [await world.article(author), await world.article(author)] as const;
  const comment = await world.comment(author, { article: articles[0].slug });
  const targets = [...articles.map(({ id }) => ({ articleId: id })), { commentId: comment.id }];
  const record = (person: Person, more: object) => ({
    type: "reaction",
    user: person.username,
    category: "like",
    ...more,
  });
  const [first, ...others] = readers as [Person, ...Person[]];
  const imported = readers
    .slice(0, 4)
    .flatMap((person) => [
      ...articles.map(({ slug }) => record(person, { article: slug })),
      record(person, { comment: comment.code }),
    ]);
  return { author, first, others: others.slice(3), articles, targets, imported };
}

/** Inconsistencies and unexpected errors. */
const faults = async () => ({ ...faultsIn(await verify(world.db)), bugs: world.bugs });

test("during an import of reactions, reactions to the same articles and changes of them don't wait", async () => {
  const { author, others, articles, targets, imported } = await site();
  const key = await world.key(author);
  const summary = await importAround(world, imported, async () => {
    for (const target of targets) {
      for (const person of others) {
        await withoutWaiting(world.db, (tx) => reactions.react(tx, like(person, target), rules()));
      }
      const [one] = others as [Person];
      await withoutWaiting(world.db, (tx) => reactions.unreact(tx, like(one, target), new Date()));
    }
    for (const { id } of articles) {
      const body = { article: { title: `Changed ${id}` } };
      expect(await world.request({ method: "PUT", url: `/api/articles/${id}`, key, body })).toMatchObject({
        status: 200,
        body: { public_reactions_count: others.length - 1 },
      });
    }
  });
  expect(summary).toMatchObject({ created: imported.length + 1 });
  for (const { id } of articles) {
    expect(await world.get(`/api/articles/${id}`)).toMatchObject({
      body: { public_reactions_count: 4 + others.length - 1 },
    });
  }
  expect(await faults()).toEqual({ bugs: [] });
});

test("a reaction that the import has too waits for it, delays no other, and counts once", async () => {
  const { first, others, articles, targets, imported } = await site();
  const [target] = targets as [Reaction["target"]];
  let same: Promise<boolean>[] = [];
  await importAround(world, imported, async () => {
    same = [reactions.react(world.db, like(first, target), rules())];
    await untilWaiting(world.db, 1);
    const [other] = others as [Person];
    expect(await withoutWaiting(world.db, (tx) => reactions.react(tx, like(other, target), rules()))).toBe(
      true,
    );
  });
  expect(await Promise.all(same)).toEqual([false]);
  const { id } = articles[0];
  expect(await world.get(`/api/articles/${id}`)).toMatchObject({ body: { public_reactions_count: 5 } });
  expect(await faults()).toEqual({ bugs: [] });
});

test("a person whom it changes waits for it, delays no other, and the change stays", async () => {
  const { others, articles, targets, imported } = await site();
  const [target] = targets as [Reaction["target"]];
  const [other, third] = others as [Person, Person];
  const [{ id: article_id }] = articles;
  const changed = { type: "user", username: other.username, name: "Another name" };
  const fire = { ...like(other, target), category: "fire" as const };
  let waiting: Promise<unknown>[] = [];
  const summary = await importAround(world, [changed, ...imported], async () => {
    waiting = [
      reactions.react(world.db, fire, rules()),
      world.db.transaction().execute(async (tx) => {
        const body = { markdown: "Nice", html: "<p>Nice</p>" };
        await comments.write(tx, { writer: other, target: { article_id }, body }, rules());
      }),
    ];
    await untilWaiting(world.db, 2);
    await withoutWaiting(world.db, (tx) => reactions.react(tx, like(third, target), rules()));
  });
  expect(summary).toMatchObject({ updated: 1 });
  expect(await Promise.all(waiting)).toEqual([true, undefined]);
  expect(await faults()).toEqual({ bugs: [] });
});

test("whatever people do while an import ends, the counts are those of the rows", async () => {
  const { first, others, targets, imported } = await site();
  const work = [...others, first].flatMap((person) =>
    targets.flatMap((target) => [
      () => reactions.react(world.db, like(person, target), rules()),
      () => reactions.react(world.db, { ...like(person, target), category: "fire" }, rules()),
      () => reactions.unreact(world.db, like(person, target), rules().now),
    ]),
  );
  let racing: Promise<unknown> = Promise.resolve();
  await importAround(world, imported, () => void (racing = atOnce(work)));
  await racing;
  expect(await faults()).toEqual({ bugs: [] });
});
