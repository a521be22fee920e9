import { beforeAll, describe, expect, test } from "vitest";
import { operator } from "../../http/actor.ts";
import { databaseForAll } from "../../../test/own-database.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as users from "../users/users.ts";
import { type By, organizations } from "../../../test/actors.ts";
import * as handles from "../users/handles.ts";
import type { MemberRole } from "./organizations.ts";
import type { Profile } from "./fields.ts";
import * as queries from "./queries.ts";

describe("changing an organization", () => {
  const database = databaseForAll();
  const people: Record<string, { id: number; role: users.Role }> = {};
  const actor = (name: string): By => people[name] as { id: number; role: users.Role };
  const idOf = (name: string) => people[name]?.id as number;
  let serial = 0;

  beforeAll(async () => {
    for (const [username, role] of [
      ["ada", "member"],
      ["bob", "member"],
      ["cleo", "moderator"],
      ["dora", "admin"],
    ] as const) {
      const { id } = await users.create(operator(database.db), { username, name: username, role });
      people[username] = { id, role };
    }
  });

  /** An organization of which Ada is the admin and Bob a member. */
  async function make(): Promise<number> {
    const username = `group_${++serial}`;
    const { id } = await organizations.create(database.db, { username, name: "Group" }, actor("ada"));
    await organizations.addMember(database.db, { organizationId: id, userId: idOf("bob") }, actor("ada"));
    return id;
  }

  const row = async (id: number) => (await queries.listAfter(database.db, id - 1, 1))[0];
  const members = async (id: number) =>
    Object.fromEntries(
      (await queries.listMembers(database.db, [id])).map(({ username, role }) => [username, role]),
    );
  const recorded = async (id: number) => {
    const rows = await database.db.selectFrom("events").select(["type", "payload"]).orderBy("id").execute();
    return rows
      .filter(({ payload }) => (payload as { organization_id?: number }).organization_id === id)
      .map(({ type, payload }) => [type, (payload as { user_id?: number }).user_id]);
  };

  test("its creator is its admin, and there is an event", async () => {
    const id = await make();
    expect(await members(id)).toEqual({ ada: "admin", bob: "member" });
    expect(await recorded(id)).toEqual([
      ["organization_created", undefined],
      ["organization_member_added", idOf("ada")],
      ["organization_member_added", idOf("bob")],
    ]);
  });

  test.each<[Partial<Profile>, string]>([
    [{ username: "ada" }, "Username has already been taken"],
    [{ username: "admin" }, 'Username "admin" is reserved: choose another'],
    [{ username: "a-b" }, "Username must have 2 to 30 characters"],
    [{ name: " " }, "Name can't be blank"],
    [{ tag_line: "x".repeat(201) }, "Tag line is too long (maximum is 200 characters)"],
    [{ summary: "a\0b" }, "Summary contains a NUL character"],
    [{ url: "javascript:alert(1)" }, "url must be a full http or https address"],
  ])("%j is refused and makes nothing", async (wrong, sentence) => {
    const count = async () => (await queries.listAfter(database.db, 0, 1_000)).length;
    const before = await count();
    const wanted = { username: "refused", name: "Refused", ...wrong };
    await expect(organizations.create(database.db, wanted, actor("ada"))).rejects.toThrow(sentence);
    expect(await count()).toBe(before);
    expect((await handles.holdersOf(database.db, ["refused"])).size).toBe(0);
  });

  test("an edit changes what it names, and is an event only when it does", async () => {
    const id = await make();
    expect(await row(id)).toMatchObject({ name: "Group", summary: null, url: null });
    const edit = (change: object) => organizations.edit(database.db, { id, change }, actor("ada"));
    expect(await edit({ summary: "We build looms", story: "Long ago" })).toMatchObject({ changed: true });
    expect(await edit({ summary: "We build looms" })).toMatchObject({ changed: false });
    expect(await edit({ story: "" })).toMatchObject({ changed: true });
    expect(await row(id)).toMatchObject({ name: "Group", summary: "We build looms", story: null });
    expect((await recorded(id)).filter(([type]) => type === "organization_updated")).toHaveLength(2);
  });

  test("another name is brought into the search of its articles", async () => {
    const id = await make();
    await inTransaction(database.db, (tx) =>
      organizations.edit(tx, { id, change: { name: "Renamed" } }, "operator"),
    );
    const jobs = await database.db.executeQuery<{ key: string }>({
      sql: "select key from graphile_worker.jobs",
      parameters: [],
    } as never);
    expect(jobs.rows.map(({ key }) => key)).toContain(`refresh-articles {"organization_id":${id}}`);
  });

  test.each<[string, boolean]>([
    ["ada", true],
    ["bob", false],
    ["cleo", false],
    ["dora", true],
  ])("that %s may change it is %s", async (name, may) => {
    const id = await make();
    const { db } = database;
    const membership = { organizationId: id, userId: idOf("cleo") };
    const attempts = [
      async () => (await organizations.edit(db, { id, change: { summary: name } }, actor(name))).changed,
      () => organizations.addMember(db, membership, actor(name)),
      () => organizations.removeMember(db, { ...membership, userId: idOf("bob") }, actor(name)),
    ];
    // Any member may leave.
    for (const attempt of name === "bob" ? attempts.slice(0, 2) : attempts) {
      if (may) expect(await attempt()).toBe(true);
      else await expect(attempt()).rejects.toMatchObject({ code: "unauthorized" });
    }
    expect(await members(id)).toEqual(
      may ? { ada: "admin", cleo: "member" } : { ada: "admin", bob: "member" },
    );
    expect((await row(id))?.summary).toBe(may ? name : null);
  });

  test("a missing one can't be changed", async () => {
    const missing = { organizationId: 99_999, userId: idOf("ada") };
    const { db } = database;
    await expect(organizations.edit(db, { id: 99_999, change: {} }, "operator")).rejects.toThrow("not found");
    await expect(organizations.addMember(db, missing, "operator")).rejects.toThrow("not found");
    await expect(organizations.removeMember(db, missing, "operator")).rejects.toThrow("not found");
  });

  test("a member gets another role, and is not added twice", async () => {
    const id = await make();
    const add = (role: MemberRole) =>
      organizations.addMember(database.db, { organizationId: id, userId: idOf("bob"), role }, "operator");
    expect([await add("member"), await add("admin"), await add("admin")]).toEqual([false, true, false]);
    expect(await members(id)).toEqual({ ada: "admin", bob: "admin" });
    expect((await recorded(id)).at(-1)).toEqual(["organization_member_changed", idOf("bob")]);
  });

  test("members leave by themselves", async () => {
    const id = await make();
    const leave = () =>
      organizations.removeMember(database.db, { organizationId: id, userId: idOf("bob") }, actor("bob"));
    expect([await leave(), await leave()]).toEqual([true, false]);
    expect((await recorded(id)).at(-1)).toEqual(["organization_member_removed", idOf("bob")]);
  });

  test("the last admin stays", async () => {
    const id = await make();
    const { db } = database;
    const ada = { organizationId: id, userId: idOf("ada") };
    const sentence = "An organization needs an admin: make another member an admin first";
    await expect(organizations.removeMember(db, ada, actor("ada"))).rejects.toThrow(sentence);
    await expect(organizations.addMember(db, ada, actor("ada"))).rejects.toThrow(sentence);
    await expect(organizations.removeMember(db, ada, actor("dora"))).rejects.toThrow(sentence);
    expect(await members(id)).toEqual({ ada: "admin", bob: "member" });
  });

  test("two admins who leave at once don't both get away", async () => {
    const id = await make();
    const { db } = database;
    await organizations.addMember(db, { organizationId: id, userId: idOf("bob"), role: "admin" }, "operator");
    const outcomes = await Promise.allSettled(
      ["ada", "bob"].map((name) =>
        organizations.removeMember(db, { organizationId: id, userId: idOf(name) }, actor(name)),
      ),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});
