import { beforeAll, describe, expect, test } from "vitest";
import * as keys from "../community/users/keys.ts";
import { worldForAll } from "../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");

let userId: number;
let key: string;
const world = worldForAll({ now: NOW });
beforeAll(async () => {
  ({ id: userId } = await world.user({ username: "ada" }));
  key = await world.key({ id: userId });
});

const keyWith = async (given: object, id = userId, at = NOW) =>
  (await keys.create(world.db, { userId: id, description: "a key", ...given }, at)).key;

describe("the detail of a 401", () => {
  const detailFor = async (sent: string | undefined, call: { method?: string; url: string }) => {
    const { status, body } = await world.request({ ...call, key: sent });
    const { detail, ...rest } = body as { detail: string };
    expect([status, rest]).toEqual([401, { error: "unauthorized", status: 401 }]);
    return detail;
  };
  const mine = { url: "/api/articles/me" };

  test("says that the key is missing", async () => {
    expect(await detailFor(undefined, mine)).toBe(
      "The request has no API key: send one in the api-key header.",
    );
    expect(await detailFor("", mine)).toContain("has no API key");
  });

  test("says that it is unknown", async () => {
    expect(await detailFor(`${key.slice(0, -1)}?`, mine)).toContain("The API key is unknown");
    expect(await detailFor("anything", mine)).toContain("The API key is unknown");
  });

  test("says that it has expired", async () => {
    const past = new Date("2026-03-01T00:00:00Z");
    const old = await keyWith({ expiresAt: new Date("2026-03-02T00:00:00Z") }, userId, past);
    expect(await detailFor(old, mine)).toBe("The API key has expired: create a new one.");
  });

  test("says that its account is suspended", async () => {
    const { id } = await world.user({ username: "sue" });
    const own = await keyWith({}, id);
    await world.db.updateTable("users").set({ suspended: true }).where("id", "=", id).execute();
    expect(await detailFor(own, mine)).toBe("The account of this API key is suspended.");
  });

  test("says which permission it lacks", async () => {
    const reading = await keyWith({ readOnly: true });
    expect(await detailFor(reading, { method: "POST", url: "/api/articles" })).toContain("read-only");
    expect(await detailFor(key, { url: "/api/admin/config" })).toContain("isn't an admin");
  });
});

const post = (body: string | Buffer, type: string | undefined = "application/json") =>
  world.request({
    method: "POST",
    url: "/api/articles",
    key,
    body,
    headers: type === "" ? {} : { "content-type": type },
  });

describe("the detail of a 400", () => {
  test.each([
    ["{", "The body isn't valid JSON: it ends too early, at line 1, column 2."],
    ["  ", "The body isn't valid JSON: it ends too early, at line 1, column 3."],
    ['{"article": "', "The body isn't valid JSON: it ends too early, at line 1, column 14."],
    ['{"a":1,}', `The body isn't valid JSON: unexpected "}" at line 1, column 8.`],
    ["{}{}", `The body isn't valid JSON: unexpected "{" at line 1, column 3.`],
    ["[}", `The body isn't valid JSON: unexpected "}" at line 1, column 2.`],
    ['{"a" 1}', `The body isn't valid JSON: unexpected "1" at line 1, column 6.`],
    ['"\\u00g0"', `The body isn't valid JSON: unexpected "\\\\" at line 1, column 2.`],
    [
      '{\n  "a": [1, {}],\n  "b": "x\ny"\n}',
      `The body isn't valid JSON: unexpected "\\n" at line 3, column 10.`,
    ],
    [
      '{"é\\n\\u00e9🦊": [-1.5e3, true, null], "b": NaN}',
      `The body isn't valid JSON: unexpected "N" at line 1, column 44.`,
    ],
    ["[1, 🦊]", `The body isn't valid JSON: unexpected "🦊" at line 1, column 5.`],
    [Buffer.from([0x22, 0x61, 0xff, 0x22]), "The body isn't UTF-8: byte 3 is wrong."],
  ])("%j is: %s", async (text, detail) => {
    expect(await post(text)).toMatchObject({
      status: 400,
      body: { error: "bad request", status: 400, detail },
    });
  });

  test("is brief for a very long text", async () => {
    const { status, body } = await post(`{"article": "${"x".repeat(2_000_000)}"`);
    expect([status, body]).toEqual([
      400,
      { error: "bad request", status: 400, detail: "The body isn't valid JSON." },
    ]);
  });
});

test("the detail of a 415 says which type is accepted and which was sent", async () => {
  const refusal = { status: 415, body: { error: "unsupported media type", status: 415 } };
  const accepted = "The body must be JSON with Content-Type: application/json";
  expect(await post("title=A", "text/plain")).toMatchObject({
    ...refusal,
    body: { ...refusal.body, detail: `${accepted}, not "text/plain".` },
  });
  expect(await post("title=A", "")).toMatchObject({
    ...refusal,
    body: { ...refusal.body, detail: `${accepted}, and the request names no type.` },
  });
  const upload = {
    method: "POST",
    url: "/api/image_uploads",
    key,
    body: "x",
    headers: { "content-type": "image/png" },
  };
  expect((await world.request(upload)).body).toMatchObject({
    ...refusal.body,
    detail: "The body must be a form with a file, with Content-Type: multipart/form-data.",
  });
});

test.each(["/api/articles", "/api/image_uploads"])(
  "the detail of a 415 of %s says when Content-Type isn't a media type",
  async (url) => {
    const headers = { "content-type": "json" };
    expect(await world.request({ method: "POST", url, key, body: "{}", headers })).toMatchObject({
      status: 415,
      body: { error: "unsupported media type", detail: expect.stringContaining("isn't a media type") },
    });
  },
);
