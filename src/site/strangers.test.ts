import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../test/world.ts";

const SECRET = "Weavers of the closed valley";
const TEXTS = {
  community_description: SECRET,
  footer_text: `${SECRET}, below`,
  navigation_links: `${SECRET} | /tags`,
  about_page: SECRET,
};
const PATHS = [
  ["/", "/about", "/tags", "/t/wool", "/ada", "/ada/looms", "/search?q=looms", "/listings", "/archive"],
  ["/no/such/page", "/robots.txt", "/sitemap.xml", "/opensearch.xml", "/feed", "/feed.json", "/feed/ada"],
  [
    "/manifest.webmanifest",
    "/api",
    "/api/docs",
    "/api/docs/articles",
    "/api/docs/articles/getArticles",
    "/api/instance",
    "/api/openapi.json",
    "/api/articles",
  ],
  ["/api/no/such/operation", "/healthz", "/readyz", "/assets/cards/1-0123456789abcdef.png", "/favicon.ico"],
].flat();

describe("a stranger at a private community", () => {
  let key: string;
  const world = worldForAll({ settings: { ...TEXTS, visibility: "private" } });
  beforeAll(async () => {
    key = await world.key(await world.user({ username: "ada" }));
    await world.article({ username: "ada" }, { slug: "looms", tags: ["wool"] });
  });

  test.each(PATHS.flatMap((path) => ["text/html", "application/json"].map((accept) => [path, accept])))(
    "reads nothing of its description at %s as %s",
    async (path, accept) => {
      const { text } = await world.get(path, { headers: { accept } });
      expect(text).not.toContain(SECRET);
    },
  );

  test("still learns its name, and that it is private", async () => {
    const { body } = await world.get("/api/instance");
    expect(body).toMatchObject({ description: "", visibility: "private", display_in_directory: false });
  });

  test("is no member, who reads it", async () => {
    const { text } = await world.get("/", { key, headers: { accept: "text/html" } });
    expect(text).toContain(SECRET);
    expect(text).toContain(`${SECRET}, below`);
  });
});

describe("a public community", () => {
  const world = worldForAll({ settings: { ...TEXTS, visibility: "public" } });
  beforeAll(
    async () =>
      void (await world.article(await world.user({ username: "ada" }), { slug: "looms", tags: ["wool"] })),
  );

  test("describes itself in its instance and on its error pages", async () => {
    expect((await world.get("/api/instance")).body).toMatchObject({ description: SECRET });
    const page = await world.get("/no/such/page", { headers: { accept: "text/html" } });
    expect(page).toMatchObject({ status: 404, text: expect.stringContaining(SECRET) });
  });

  test.each([
    "/api",
    "/api/articles",
    "/api/instance",
    "/api/openapi.json",
    "/feed",
    "/feed.json",
    "/feed/ada",
  ])("lets pages of other sites read %s", async (path) => {
    const { status, headers } = await world.get(path);
    expect([status, headers["access-control-allow-origin"]]).toEqual([200, "*"]);
  });

  test.each([
    "/",
    "/ada",
    "/ada/looms",
    "/t/wool",
    "/search?q=looms",
    "/no/such/page",
    "/api/docs",
    "/robots.txt",
    "/sitemap.xml",
    "/opensearch.xml",
    "/assets/identicons/user-1-90.png",
    "/healthz",
  ])("does not let pages of other sites read %s", async (path) => {
    const { headers } = await world.get(path, { headers: { accept: "text/html", origin: "null" } });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    const preflight = { origin: "null", "access-control-request-method": "GET" };
    const asked = await world.request({ method: "OPTIONS", url: path, headers: preflight });
    expect(Object.keys(asked.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});
