import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Elsewhere, startElsewhere } from "../../../test/net.ts";
import { worldForAll } from "../../../test/world.ts";

interface Written {
  id: number;
  canonical_url: string;
  warnings?: string[];
}

describe("a canonical URL", () => {
  let key: string;
  let serial = 0;
  const world = worldForAll({ config: { allowPrivateNetwork: true } });
  beforeAll(async () => void (key = await world.key(await world.user({ username: "ada" }))));

  async function write(method: "POST" | "PUT", url: string, article: object): Promise<Written> {
    const { status, body } = await world.request({ method, url, key, body: { article } });
    expect([method, article, status]).toEqual([method, article, method === "POST" ? 201 : 200]);
    return body as Written;
  }
  const create = (article: object) =>
    write("POST", "/api/articles", { title: `Article ${++serial}`, body_markdown: "a", ...article });
  const change = (id: number, article: object) => write("PUT", `/api/articles/${id}`, article);
  const warning = (host: string) =>
    `Canonical url leads to ${host}, which readers outside your network can't open.`;

  test.each([
    ["http://wiki/", "wiki"],
    ["http://localhost:3000/post", "localhost"],
    ["http://LOCALHOST./", "localhost."],
    ["http://blog.localhost/", "blog.localhost"],
    ["http://printer.local/", "printer.local"],
    ["https://blog.internal/", "blog.internal"],
    ["https://blog.test/", "blog.test"],
    ["https://blog.invalid/", "blog.invalid"],
    ["https://nas.lan/", "nas.lan"],
    ["http://router.home.arpa/", "router.home.arpa"],
    ["http://127.0.0.1:4000/", "127.0.0.1"],
    ["http://2130706433/", "127.0.0.1"],
    ["http://192.168.1.1:8080/", "192.168.1.1"],
    ["http://10.1.2.3/", "10.1.2.3"],
    ["http://169.254.169.254/latest", "169.254.169.254"],
    ["http://[::1]/", "[::1]"],
    ["http://[fd00::1]/", "[fd00::1]"],
    ["http://[::ffff:10.0.0.1]/", "[::ffff:a00:1]"],
  ])("like %s is accepted, with a warning that names its host", async (canonical_url, host) => {
    const created = await create({ canonical_url });
    expect(created).toMatchObject({ canonical_url, warnings: [warning(host)] });
    const { id } = await create({});
    expect(await change(id, { canonical_url })).toMatchObject({ canonical_url, warnings: [warning(host)] });
  });

  test.each([
    "https://elsewhere.example/post",
    "http://example.com:8080/",
    "http://8.8.8.8/",
    "http://[2606:4700::1111]/",
    "https://localhost.example.com/",
    "https://test.example.org/",
  ])("like %s is accepted without a warning", async (canonical_url) => {
    const created = await create({ canonical_url });
    expect(created).toMatchObject({ canonical_url });
    expect(created).not.toHaveProperty("warnings");
  });

  test("of the front matter is no different, and isn't warned of in a change that doesn't name it", async () => {
    const body_markdown = `---\ntitle: Article ${++serial}\ncanonical_url: http://intranet/front\n---\na`;
    const created = await write("POST", "/api/articles", { body_markdown });
    expect(created).toMatchObject({
      canonical_url: "http://intranet/front",
      warnings: [warning("intranet")],
    });
    const { id } = await create({ canonical_url: "http://wiki/quiet" });
    const changed = await change(id, { body_markdown: "b" });
    expect(changed).toMatchObject({ canonical_url: "http://wiki/quiet" });
    expect(changed).not.toHaveProperty("warnings");
  });

  test("comes with a community file, wherever it leads", async () => {
    const { id } = await world.article({ username: "ada" }, { canonical_url: "http://10.0.0.7/brought" });
    expect((await world.get(`/api/articles/${id}`)).body).toMatchObject({
      canonical_url: "http://10.0.0.7/brought",
    });
  });

  test.each(["not a url", "wiki", "//wiki/", "http:///post", "ftp://wiki/", "https://exam ple.com/"])(
    "like %j is refused, and nothing is written",
    async (canonical_url) => {
      const article = { title: `Article ${++serial}`, body_markdown: "a", canonical_url };
      const reply = await world.request({ method: "POST", url: "/api/articles", key, body: { article } });
      expect(reply).toMatchObject({
        status: 422,
        body: { error: expect.stringMatching(/^Canonical url must be a full http or https address/) },
      });
      expect(await world.db.selectFrom("articles").select("title").execute()).not.toContainEqual({
        title: article.title,
      });
    },
  );

  describe("of a site that answers", () => {
    let elsewhere: Elsewhere;
    beforeAll(
      async () => void (elsewhere = await startElsewhere((_request, response) => response.end("hello"))),
    );
    afterAll(() => elsewhere.stop());

    test("is printed and never asked for", async () => {
      const canonical_url = `${elsewhere.url}/post`;
      const { id } = await create({ canonical_url, published: true });
      await change(id, { canonical_url: `${canonical_url}/moved` });
      for (const url of [`/api/articles/${id}`, "/api/articles", "/feed", "/sitemap.xml"]) {
        expect([url, (await world.get(url)).status]).toEqual([url, 200]);
      }
      expect([elsewhere.asked.length, await elsewhere.connections()]).toEqual([0, 0]);
    });
  });
});
