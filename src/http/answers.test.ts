import { Type } from "typebox";
import { beforeEach, describe, expect, test } from "vitest";
import { serverWith, worldForAll } from "../../test/world.ts";
import { answer, etagOf, privateAnswer } from "./answers.ts";
import type { App } from "./app-type.ts";

const VENDOR = "application/vnd.service.api-v1+json; charset=utf-8";
const JSON_TYPE = "application/json; charset=utf-8";
const FOREM = "application/vnd.forem.api-v1+json";

const BODY = {
  user: { name: "Lena", microblog_username: "lena", codehost_username: null },
  text: "microblog_username",
};

let made = 0;
let madeFrom = "";
function mount(app: App): void {
  const config = { access: "public" } as const;
  const querystring = Type.Object({ q: Type.Optional(Type.String()) });
  app.get("/api/things", { config, schema: { querystring } }, (request, reply) =>
    answer(request, reply, async () => {
      made++;
      return { body: JSON.stringify(BODY), headers: { "x-search-match": "exact" } };
    }),
  );
  app.get("/api/pages", { config }, (request, reply) =>
    answer(request, reply, async () => ({
      madeFrom,
      body: () => {
        made++;
        return `["${madeFrom}"]`;
      },
    })),
  );
  app.get("/api/search", { config: { ...config, isSearch: true } }, (request, reply) =>
    answer(request, reply, async () => ({ body: "[]" })),
  );
  app.get("/api/broken", { config }, (request, reply) =>
    answer(request, reply, async () => {
      made++;
      throw new Error("once more");
    }),
  );
  app.get("/api/me", { config: { access: "key" } }, async (request, reply) =>
    privateAnswer(request, reply, { body: JSON.stringify(BODY) }),
  );
  app.post("/api/me", { config: { access: "write" } }, async (request, reply) =>
    privateAnswer(request, reply, { body: JSON.stringify(BODY), status: 201 }),
  );
}

const world = worldForAll({ build: serverWith(mount) });
beforeEach(() => {
  made = 0;
});

describe("the type of an answer", () => {
  test.each([
    [undefined, VENDOR, VENDOR],
    ["*/*", VENDOR, VENDOR],
    ["text/html", VENDOR, VENDOR],
    ["application/vnd.service.api-v1+json", VENDOR, VENDOR],
    ["application/json, application/vnd.service.api-v1+json", VENDOR, VENDOR],
    ["application/json", JSON_TYPE, VENDOR],
    ["text/html, Application/JSON;q=0.9, */*", JSON_TYPE, VENDOR],
    [FOREM, JSON_TYPE, JSON_TYPE],
    [",;=\\x00", VENDOR, VENDOR],
  ])("for Accept %j is %s, and from search %s", async (accept, type, searchType) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    expect((await world.get("/api/things", { headers })).headers["content-type"]).toBe(type);
    expect((await world.get("/api/search", { headers })).headers["content-type"]).toBe(searchType);
  });
});

describe("an answer for everybody", () => {
  test("has a version, and a client that knows it gets nothing but the word that it stands", async () => {
    const { headers, body } = await world.get("/api/things");
    expect(body).toEqual(BODY);
    expect(headers).toMatchObject({
      "cache-control": "public, no-cache",
      vary: "Accept, Accept-Encoding, api-key",
      etag: etagOf(JSON.stringify(BODY)),
      "x-search-match": "exact",
      "access-control-allow-origin": "*",
    });
    const again = await world.get("/api/things", { headers: { "if-none-match": String(headers["etag"]) } });
    expect(again).toMatchObject({ status: 304, text: "" });
    for (const name of ["etag", "cache-control", "vary", "access-control-allow-origin"]) {
      expect(again.headers[name]).toBe(headers[name]);
    }
  });

  test("is made once for all concurrent requests, whatever unknown parameters they add", async () => {
    // A write starts a new period, which the answer would outlive otherwise.
    await world.user({});
    const urls = [
      "/api/things?q=1",
      "/api/things?q=1",
      "/api/things?unknown=2&q=1",
      "/api/things?q=1&api_key=3",
    ];
    await Promise.all(urls.map((url) => world.get(url)));
    expect(made).toBe(1);
  });

  test("differs with every parameter and with the profile, and a failure isn't kept", async () => {
    for (const url of [
      "/api/things?q=2",
      "/api/things?q=3",
      "/api/things?q=%26q=2",
      "/api/broken",
      "/api/broken",
    ]) {
      await world.get(url);
    }
    await world.get("/api/things?q=2", { headers: { accept: FOREM } });
    expect(made).toBe(6);
  });
});

describe("an answer for one caller", () => {
  test("is kept by no cache, is shown to no other site, and has a version", async () => {
    const { headers } = await world.get("/api/me", { key: "member-key" });
    expect(headers).toMatchObject({
      "cache-control": "private, no-store",
      etag: etagOf(JSON.stringify(BODY)),
    });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    const known = { "if-none-match": String(headers["etag"]) };
    expect((await world.get("/api/me", { key: "member-key", headers: known })).status).toBe(304);
  });

  test("to a write is never a 304", async () => {
    const headers = { "if-none-match": "*" };
    expect((await world.request({ method: "POST", url: "/api/me", key: "member-key", headers })).status).toBe(
      201,
    );
  });
});

test("a client written for Forem finds the names it knows beside the published ones", async () => {
  const { body } = await world.get("/api/things", { headers: { accept: FOREM } });
  const { user, text } = BODY;
  expect(body).toEqual({ user: { ...user, twitter_username: "lena", github_username: null }, text });
  const mine = await world.get("/api/me", { key: "member-key", headers: { accept: FOREM } });
  expect(mine.body).toEqual(body);
});

test("a response is not made again while all that it is made from is the same", async () => {
  const bodies: unknown[] = [];
  for (madeFrom of ["one", "one", "two", "two", "one"]) {
    bodies.push((await world.get("/api/pages")).body);
    await world.forget();
  }
  expect(bodies).toEqual([["one"], ["one"], ["two"], ["two"], ["one"]]);
  expect(made).toBe(3);
});
