import { beforeAll, describe, expect, test } from "vitest";
import { type Reply, worldForAll } from "../../../test/world.ts";

const ids: Record<string, number> = {};
const keys: Record<string, string | undefined> = { nobody: undefined, wrong: "ink_wrong", empty: "" };
const world = worldForAll();
beforeAll(async () => {
  const owner = await world.user({ username: "lena" });
  const people = {
    owner,
    stranger: await world.user({ username: "noor" }),
    admin: await world.user({ username: "ada", role: "admin" }),
    orgAdmin: await world.user({ username: "orla" }),
    member: await world.user({ username: "milo" }),
    elsewhere: await world.user({ username: "elin" }),
  };
  for (const [name, person] of Object.entries(people)) keys[name] = await world.key(person);
  keys["readOnly"] = await world.key(owner, { readOnly: true });
  await world.organization({
    username: "tinkerlab",
    members: [
      { username: "orla", role: "admin" },
      { username: "milo", role: "member" },
    ],
  });
  await world.organization({ username: "weavers", members: [{ username: "elin", role: "admin" }] });
  const organization = "tinkerlab";
  ids["published"] = (await world.listing(owner, { organization })).id;
  ids["hidden"] = (await world.listing(owner, { published: false, title: "Secret", organization })).id;
  ids["expired"] = (await world.listing(owner, { expires_at: "2020-01-01T00:00:00Z" })).id;
});

const read = (what: string | number, who: string): Promise<Reply> =>
  world.get(`/api/listings/${ids[what] ?? what}`, { key: keys[who] });
const seen = ({ status, text, headers }: Reply) => [status, text, headers["etag"], headers["cache-control"]];

const EDITORS = ["owner", "readOnly", "orgAdmin"];

describe("GET /api/listings/{id}", () => {
  test("shows a published one to everybody, whatever key they have", async () => {
    const { body, text } = await read("published", "nobody");
    expect(body).toMatchObject({ type_of: "listing", id: ids["published"], published: true });
    for (const who of Object.keys(keys)) {
      const reply = await read("published", who);
      expect([who, reply.status, reply.text]).toEqual([who, 200, text]);
      expect(reply.headers["cache-control"]).toBe("public, no-cache");
    }
  });

  test("shows an expired one too: lists leave it out, its address doesn't", async () => {
    expect(await read("expired", "nobody")).toMatchObject({
      status: 200,
      body: { expires_at: "2020-01-01T00:00:00Z" },
    });
  });

  test("shows an unpublished one to its author and to the admins of its organization", async () => {
    for (const who of EDITORS) {
      const { status, headers, body } = await read("hidden", who);
      expect([status, headers["cache-control"]]).toEqual([200, "private, no-store"]);
      expect(body).toMatchObject({ title: "Secret", published: false });
    }
  });

  test("answers everybody else exactly as if it didn't exist", async () => {
    for (const who of Object.keys(keys).filter((one) => !EDITORS.includes(one))) {
      expect([who, ...seen(await read("hidden", who))]).toEqual([
        who,
        ...seen(await read(2_000_000_000, who)),
      ]);
      expect(await read("hidden", who)).toMatchObject({
        status: 404,
        body: { error: "not found", status: 404 },
      });
    }
  });

  test.each(["abc", "-1", "0", "01", "99999999999", "%00"])("is 404 for %s", async (id) => {
    expect((await world.get(`/api/listings/${id}`, { key: keys["owner"] })).status).toBe(404);
  });
});
