import { expect, test } from "vitest";
import { atOnce, untilWaiting } from "../../../test/waiting.ts";
import { faultsIn } from "../../../test/health.ts";
import { importAround, REPEATED, withoutWaiting } from "../../../test/community-file.ts";
import { type World, worldForAll } from "../../../test/world.ts";
import { countRows } from "../../platform/db/values.ts";
import { verify } from "../../operate/health/invariants.ts";
import { follows } from "../../../test/actors.ts";

type Person = Awaited<ReturnType<World["user"]>>;

const world = worldForAll();

const rules = () => ({ now: new Date(), dailyLimit: 500 });
const wish = (follower: Person, followed: Person) => ({
  followerId: follower.id,
  target: { userId: followed.id },
});

/** Two whom four people follow in a file, and others who might. */
async function site() {
  const people: Person[] = [];
  for (let n = 0; n < 10; n++) people.push(await world.user());
  const [lena, noor, first, ...others] = people as [Person, Person, Person, ...Person[]];
  const imported = [first, ...others.slice(0, 3)].flatMap((person) =>
    [noor, lena].map((followed) => ({
      type: "follow",
      user: person.username,
      followed_user: followed.username,
    })),
  );
  return { lena, noor, first, others: others.slice(3), imported };
}

const countsOf = (...people: Person[]) =>
  Promise.all(
    people.map(({ id }) => countRows(world.db.selectFrom("follows").where("followed_user_id", "=", id))),
  );

/** Inconsistencies and unexpected errors. */
const faults = async () => ({ ...faultsIn(await verify(world.db)), bugs: world.bugs });

test("during an import of follows, a follow of the same people doesn't wait", async () => {
  const { lena, noor, others, imported } = await site();
  await importAround(world, imported, async () => {
    for (const person of others) {
      for (const followed of [lena, noor]) {
        await withoutWaiting(world.db, (tx) => follows.follow(tx, wish(person, followed), rules()));
      }
    }
    await withoutWaiting(world.db, (tx) => follows.unfollow(tx, wish(others[0] as Person, lena)));
    expect(await countsOf(lena, noor)).toEqual([others.length - 1, others.length]);
  });
  expect(await countsOf(lena, noor)).toEqual([4 + others.length - 1, 4 + others.length]);
  expect(await faults()).toEqual({ bugs: [] });
});

test("a follow that the import has too waits for it, delays no other, and counts once", async () => {
  const { lena, noor, first, others, imported } = await site();
  let same: Promise<boolean>[] = [];
  await importAround(world, imported, async () => {
    same = [follows.follow(world.db, wish(first, lena), rules())];
    await untilWaiting(world.db, 1);
    const [other] = others as [Person];
    expect(await withoutWaiting(world.db, (tx) => follows.follow(tx, wish(other, lena), rules()))).toBe(true);
  });
  expect(await Promise.all(same)).toEqual([false]);
  expect(await countsOf(lena, noor)).toEqual([5, 4]);
  expect(await faults()).toEqual({ bugs: [] });
});

test("whatever people do while an import ends, nobody waits for good and nothing is at odds", async () => {
  const { lena, noor, first, others, imported } = await site();
  const work = [...others, first].flatMap((person) =>
    [lena, noor].flatMap((followed) => [
      () => follows.follow(world.db, wish(person, followed), rules()),
      () => follows.unfollow(world.db, wish(person, followed)),
      () => follows.follow(world.db, wish(person, followed), rules()),
    ]),
  );
  let racing: Promise<unknown> = Promise.resolve();
  await importAround(world, imported, () => void (racing = atOnce(work)));
  await racing;
  expect(await faults()).toEqual({ bugs: [] });
});

test("an existing follow is unchanged by the import, and counts once", async () => {
  const { lena, first, imported } = await site();
  await follows.follow(world.db, wish(first, lena), rules());
  const summary = await importAround(world, imported, () => {});
  expect(summary).toMatchObject({ unchanged: 1 + REPEATED, created: imported.length });
  expect(await countsOf(lena)).toEqual([4]);
  expect(await faults()).toEqual({ bugs: [] });
});
