import { beforeAll, describe, expect, test } from "vitest";
import { startWorld, worldForAll } from "../../../test/world.ts";

const FOREM = "application/vnd.forem.api-v1+json";

describe("people over HTTP", () => {
  let lena: { id: number };
  const LENA = {
    type_of: "user",
    username: "lena",
    name: "Lena Ortiz",
    microblog_username: null,
    codehost_username: "lenaortiz",
    summary: "I fix looms",
    location: "Bilbao",
    website_url: null,
    joined_at: "Jan  3, 2025",
    profile_image: expect.stringMatching(/^https:\/\/ink\.example\/assets\/identicons\/user-\d+-320\.png$/),
  };
  const world = worldForAll();
  beforeAll(
    async () =>
      void (lena = await world.user({
        username: "lena",
        name: "Lena Ortiz",
        email: "lena@example.com",
        password: "a long password",
        codehost_username: "lenaortiz",
        summary: "I fix looms",
        location: "Bilbao",
        website_url: " ",
        created_at: "2025-01-03T23:59:59Z",
      })),
  );

  test("are read by their number, with exactly what is public", async () => {
    const { status, body, headers } = await world.get(`/api/users/${lena.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ ...LENA, id: lena.id });
    expect(headers).toMatchObject({
      "cache-control": "public, no-cache",
      "content-type": "application/vnd.service.api-v1+json; charset=utf-8",
      "access-control-allow-origin": "*",
    });
    const again = await world.get(`/api/users/${lena.id}`, {
      headers: { "if-none-match": String(headers["etag"]) },
    });
    expect(again).toMatchObject({ status: 304, text: "" });
  });

  test("are read by their username in any case", async () => {
    const { status, body } = await world.get("/api/users/by_username?url=LENA");
    expect({ status, body }).toEqual({ status: 200, body: { ...LENA, id: lena.id } });
  });

  test("have the names that a client of Forem knows, for such a client", async () => {
    const { body } = await world.get(`/api/users/${lena.id}`, { headers: { accept: FOREM } });
    expect(body).toMatchObject({ github_username: "lenaortiz", twitter_username: null });
  });

  test.each([
    "/api/users/0",
    "/api/users/999999",
    "/api/users/99999999999",
    "/api/users/lena",
    "/api/users/1e0",
    "/api/users/-1",
    "/api/users/by_username?url=nobody",
    "/api/users/by_username?url=/lena",
    "/api/users/by_username?url=%D0%BB",
    "/api/users/by_username?url=len%E2%84%AA",
  ])("%s finds no person", async (url) => {
    const { status, body } = await world.get(url);
    expect({ status, body }).toEqual({ status: 404, body: { error: "not found", status: 404 } });
  });

  test("by_username says that it wants a username", async () => {
    expect(await world.get("/api/users/by_username")).toMatchObject({
      status: 422,
      body: { error: "url is missing: add it to the query" },
    });
  });

  test("show a change at once", async () => {
    const person = await world.user({ username: "changing", summary: "before" });
    await world.get(`/api/users/${person.id}`);
    await world.user({ username: "changing", summary: "after", profile_image: "https://pic.example/1.png" });
    expect((await world.get(`/api/users/${person.id}`)).body).toMatchObject({
      summary: "after",
      profile_image: "https://pic.example/1.png",
    });
  });

  describe("GET /api/users/me", () => {
    test("is the owner of the key, and no cache may keep it", async () => {
      const key = await world.key(lena, { readOnly: true });
      const { status, body, headers } = await world.get("/api/users/me", { key });
      expect({ status, body }).toEqual({ status: 200, body: { ...LENA, id: lena.id } });
      expect(headers["cache-control"]).toBe("private, no-store");
      expect(headers["access-control-allow-origin"]).toBeUndefined();
    });

    test("needs a key whose owner isn't suspended", async () => {
      const suspended = await world.key(await world.user({ suspended: true }));
      for (const key of [undefined, "", "ink_wrong", suspended]) {
        const { status, body, headers } = await world.get("/api/users/me", { key });
        expect({ status, body }).toEqual({
          status: 401,
          body: { error: "unauthorized", status: 401, detail: expect.any(String) },
        });
        expect(headers["cache-control"]).toBe("no-store");
      }
    });
  });
});

test("in a private community people are read with a key alone", async () => {
  const world = await startWorld({ settings: { visibility: "private" } });
  try {
    const person = await world.user({ username: "lena" });
    const key = await world.key(person);
    for (const url of [`/api/users/${person.id}`, "/api/users/by_username?url=lena", "/api/users/me"]) {
      expect((await world.get(url)).status).toBe(401);
      expect(await world.get(url, { key })).toMatchObject({ status: 200, body: { username: "lena" } });
    }
  } finally {
    await world.stop();
  }
});
