import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../world.ts";

let key: string;
const world = worldForAll();
beforeAll(async () => {
  const admin = await world.user({ role: "admin" });
  key = await world.key(admin);
  await world.article(admin);
});

describe("what older interfaces of this kind had isn't there", () => {
  test.each([
    ["GET", "/api/articles/onboarding"],
    ["POST", "/api/reactions"],
    ["POST", "/api/reactions/toggle"],
    ["GET", "/api/followers/organizations"],
    ["GET", "/api/github_repos"],
    ["GET", "/api/chat_channels/1"],
  ])("%s %s", async (method, url) => {
    const body =
      method === "POST" ? { reactable_id: 1, reactable_type: "Article", category: "like" } : undefined;
    for (const caller of [key, undefined]) {
      const reply = await world.request({ method, url, key: caller, body });
      expect([reply.status, reply.body]).toEqual([404, { error: "not found", status: 404 }]);
      expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    }
    expect(await world.db.selectFrom("reactions").selectAll().execute()).toEqual([]);
  });
});
