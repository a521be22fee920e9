import { describe, expect, test } from "vitest";
import { exportOf, importsInto, type Line, user } from "../../../test/community-file.ts";
import { databaseForEach } from "../../../test/own-database.ts";

const database = databaseForEach();
const { load } = importsInto(database);

const CREATED = "2026-02-01T10:00:00.250Z";
const PEOPLE: Line[] = [
  user("lena"),
  user("noor"),
  { type: "organization", username: "guild", name: "Guild" },
  { type: "tag", name: "wool" },
  { type: "tag", name: "yarn", alias_for: "wool" },
];
const follow = (more: object) => ({ type: "follow", user: "lena", ...more });
const FOLLOWS: Line[] = [
  follow({ followed_user: "noor", created_at: CREATED }),
  follow({ organization: "guild", created_at: CREATED }),
  follow({ tag: "wool", points: 2.5, created_at: CREATED }),
  { type: "follow", user: "noor", followed_user: "lena" },
];

const stored = () =>
  database.db
    .selectFrom("follows")
    .select(["points", "created_at"])
    .select(["followed_user_id", "organization_id", "tag_id"])
    .orderBy("id")
    .execute();

describe("follows of a community file", () => {
  test("are imported, and a second time nothing changes", async () => {
    expect(await load([...PEOPLE, ...FOLLOWS])).toMatchObject({ created: 9, unchanged: 0 });
    const before = await stored();
    expect(before).toMatchObject([
      { points: 1, created_at: new Date(CREATED), followed_user_id: 2 },
      { points: 1, organization_id: 1 },
      { points: 2.5, tag_id: 1 },
      { followed_user_id: 1, created_at: new Date("2026-03-02T09:15:00Z") },
    ]);
    expect(await load([...PEOPLE, ...FOLLOWS])).toMatchObject({ created: 0, updated: 0, unchanged: 9 });
    expect(await stored()).toEqual(before);
    // An import notifies no person.
    expect(await database.db.selectFrom("outbox").selectAll().execute()).toEqual([]);
  });

  test("are exported as they were imported, in their order, without what says nothing", async () => {
    await load([...PEOPLE, ...FOLLOWS.slice(0, 3)]);
    expect(await exportOf(database.db, { only: ["follow"] })).toBe(
      [
        `{"type":"follow","user":"lena","followed_user":"noor","created_at":"${CREATED}"}\n`,
        `{"type":"follow","user":"lena","organization":"guild","created_at":"${CREATED}"}\n`,
        `{"type":"follow","user":"lena","tag":"wool","points":2.5,"created_at":"${CREATED}"}\n`,
      ].join(""),
    );
  });

  test("change what they name, and are known by any case and by another name of a tag", async () => {
    await load([...PEOPLE, ...FOLLOWS]);
    const changed = [
      { type: "follow", user: "LENA", tag: "Yarn", points: 4 },
      { type: "follow", user: "lena", tag: "WOOL", created_at: "2026-01-01T00:00:00Z" },
      { type: "follow", user: "lena", followed_user: "NOOR" },
    ];
    expect(await load(changed)).toMatchObject({ created: 0, updated: 2, unchanged: 1 });
    expect((await stored())[2]).toMatchObject({ points: 4, created_at: new Date("2026-01-01T00:00:00Z") });
  });

  test("that are the same by two names in one file are one", async () => {
    const twice = [follow({ tag: "yarn" }), follow({ tag: "wool", points: 3 }), follow({ tag: "yarn" })];
    expect(await load([...PEOPLE, ...twice])).toMatchObject({ created: 6, updated: 1, unchanged: 1 });
    expect(await stored()).toMatchObject([{ points: 3 }]);
  });

  test.each<[object, string]>([
    [{ user: "nobody", tag: "wool" }, 'user "nobody" is not a user of the site or of an earlier line'],
    [{ followed_user: "nobody" }, 'followed_user "nobody" is not a user of the site or of an earlier line'],
    [
      { organization: "lena" },
      'organization "lena" is not an organization of the site or of an earlier line',
    ],
    [{ tag: "silk" }, 'tag "silk" is not a tag of the site or of an earlier line'],
    [{ followed_user: "Lena" }, "followed_user must be another user than user"],
    [{}, "a follow must have one of followed_user, organization, tag"],
    [{ tag: "wool", organization: "guild" }, "a follow must have one of followed_user, organization, tag"],
    [{ tag: "wool", points: "many" }, 'points must be a number from -1000000 to 1000000, not "many"'],
    [{ tag: "wool", points: 1e9 }, "points must be a number from -1000000 to 1000000, not 1000000000"],
    [{ tag: "wool", since: 1 }, "since is not a known key"],
  ])("%j is refused with its reason, and alone when bad ones are skipped", async (wrong, reason) => {
    const lines = [...PEOPLE, follow(wrong), follow({ organization: "guild" })];
    await expect(load(lines)).rejects.toThrow(reason);
    expect(await stored()).toEqual([]);
    expect(await database.db.selectFrom("users").selectAll().execute()).toEqual([]);
    const summary = await load(lines, { skipInvalid: true });
    expect(summary).toMatchObject({ created: 6, skipped: 1, bad: [{ line: 6 }] });
    expect(summary.bad[0]?.reason).toContain(reason);
    expect(await stored()).toHaveLength(1);
  });
});
