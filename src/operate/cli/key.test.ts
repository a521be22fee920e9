import { describe, expect, test } from "vitest";
import { commandsWith, urlOf } from "../../../test/commands.ts";
import { databaseForAll } from "../../../test/own-database.ts";

const database = databaseForAll();
const inkstone = commandsWith(() => ({ DATABASE_URL: urlOf(database.name) }));

async function json(...args: string[]): Promise<unknown> {
  const { code, out: printed, err: told } = await inkstone(...args, "--json");
  expect([code, told]).toEqual([0, ""]);
  return JSON.parse(printed);
}

describe("inkstone key", () => {
  test("makes a key, lists it without its secret and takes it away", async () => {
    await json("user", "create", "--username", "lena", "--name", "Lena");
    const created = "key create --user Lena --description Sync --read-only --expires 2099-01-31";
    const made = (await json(...created.split(" "))) as { id: number; api_key: string };
    expect(made).toEqual({ id: expect.any(Number), api_key: expect.stringMatching(/^ink_[0-9A-Za-z]{38}$/) });
    const listed = await json("key", "list", "--user", "lena");
    expect(listed).toEqual([
      {
        id: made.id,
        description: "Sync",
        hint: `${made.api_key.slice(0, 8)}…${made.api_key.slice(-4)}`,
        read_only: true,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        last_used_at: null,
        expires_at: "2099-01-31T00:00:00Z",
      },
    ]);
    const revoked = await json("key", "revoke", String(made.id));
    expect(revoked).toEqual({ id: made.id, user_id: expect.any(Number), description: "Sync" });
    expect(await json("key", "list", "--user", "lena")).toEqual([]);
    const logged = await database.db.selectFrom("staff_log").select(["act", "detail", "on_name"]).execute();
    expect(logged).toEqual([{ act: "edit_user", detail: `revoked the key ${made.id}`, on_name: "@lena" }]);
    const events = await database.db.selectFrom("events").select(["type", "payload"]).execute();
    expect(events.at(-2)).toMatchObject({ type: "api_key_revoked", payload: { api_key_id: made.id } });
  });

  test("says the same in words", async () => {
    const made = await inkstone("key", "create", "--user", "lena", "--description", "Editor");
    expect(made.out).toMatch(/^ink_[0-9A-Za-z]{38}\n$/);
    const listed = await inkstone("key", "list", "--user", "lena");
    const [, id = ""] = /^(\d+) {2}"Editor" \(ink_\w{4}…\w{4}, never used\)\n$/.exec(listed.out) ?? [];
    const revoked = await inkstone("key", "revoke", id);
    expect(revoked).toEqual({ code: 0, out: `Revoked the key ${id}, "Editor".\n`, err: "" });
    expect((await inkstone("key", "list", "--user", "lena")).out).toBe("lena has no API keys.\n");
  });

  test.each([
    [["key", "revoke", "999"], 1, "There is no key with the id 999."],
    [["key", "revoke", "ink_x"], 2, "It must be the number of a key. See `inkstone key revoke --help`."],
    [["key", "list", "--user", "nobody"], 1, 'There is no user "nobody".'],
    [["key", "create", "--user", "nobody", "--description", "x"], 1, 'There is no user "nobody".'],
    [["key", "create", "--user", "lena", "--description", " "], 1, "Description can't be blank."],
  ])("refuses %j in one sentence", async (args, code, sentence) => {
    const outcome = await inkstone(...args);
    expect([outcome.code, outcome.out]).toEqual([code, ""]);
    expect(outcome.err).toMatch(/^inkstone: [^\n]+\n$/);
    expect(outcome.err).toContain(sentence);
  });
});
