import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Call, startWorld, type World } from "../world.ts";
/** The headers of public clients, as seen on the wire; the texts are ours. */
import CLIENTS from "./client-headers.json" with { type: "json" };

type Answer = { id: number; url: string; published_at: string } & Record<string, unknown>;

let world: World;
let key: string | undefined;
beforeAll(async () => {
  world = await startWorld({ rateLimits: true });
});
beforeEach(async () => {
  key = await world.key(await world.user());
});
afterAll(() => world.stop());

/** The requests of one client; a refused one fails the test unless `status` expects it. */
function sender(client: keyof typeof CLIENTS) {
  return async (
    method: string,
    url: string,
    { body, status }: Pick<Call, "body"> & { status?: number } = {},
  ) => {
    const reply = await world.request({ method, url, key, headers: CLIENTS[client], body });
    expect([reply.status, reply.headers["content-type"]]).toEqual([
      status ?? (method === "POST" ? 201 : 200),
      expect.stringMatching(/\bjson\b/),
    ]);
    return reply.body;
  };
}

describe("@sinedied/devto-cli", () => {
  const send = sender("devto-cli");
  const FIELDS = [
    "description: Seven days with a jar",
    "tags: 'baking, bread'",
    "cover_image: ''",
    "canonical_url: null",
  ];
  const file = (title: string, fields: string[] = []) =>
    `---\ntitle: '${title}'\n${[...FIELDS, ...fields].join("\n")}\n---\nSome words.\n`;
  const push = async (title: string, fields: string[], id?: number) => {
    const [method, url] = id === undefined ? ["POST", ""] : ["PUT", `/${id}`];
    const body = { article: { title, body_markdown: file(title, fields) } };
    return (await send(method, `/api/articles${url}`, { body })) as Answer;
  };
  const all = async () => (await send("GET", "/api/articles/me/all?per_page=1000&page=1")) as Answer[];

  test.each([true, false])("has nothing to send again, published: %s", async (published) => {
    const title = "Sourdough: the first week";
    const { id, published_at } = await push(title, [`published: ${published}`]);
    const [found] = await all();
    // It compares the file with these, and sends it again when one of them is anything else.
    expect(found).toMatchObject({
      id,
      body_markdown: file(title, [`published: ${published}`]),
      title,
      description: "Seven days with a jar",
      tag_list: ["baking", "bread"],
      cover_image: null,
      canonical_url: found?.url,
      published,
    });
    // It writes this into the file, and never compares it.
    expect(published_at).toEqual(published ? expect.stringMatching(/Z$/) : null);
  });

  test("pushes a changed file any number of times with the id and the date that it was given", async () => {
    const { id, published_at, url } = await push("Rye", ["published: true"]);
    for (const date of [`'${published_at}'`, published_at]) {
      const answer = await push(
        "Rye",
        ["published: true", `id: ${id}`, `date: ${date}`, "devto_sync: true"],
        id,
      );
      expect(answer).toMatchObject({ id, published_at, url });
      expect(answer).not.toHaveProperty("warnings");
    }
  });

  test("takes back what it has published and publishes it again under its first date", async () => {
    const { id, published_at, url } = await push("Rye", ["published: true"]);
    const rest = [`id: ${id}`, `date: '${published_at}'`];
    const taken = await push("Rye", ["published: false", ...rest], id);
    expect(taken.published_at).toBeNull();
    expect(await push("Rye", ["published: true", ...rest], id)).toMatchObject({ published_at, url });
  });

  test("brings files along whose dates are years old", async () => {
    const old = "2021-03-04T05:06:07.000Z";
    const { published_at, warnings } = await push("Rye", ["published: true", `date: ${old}`]);
    expect([published_at > old, warnings]).toEqual([true, [expect.stringContaining("date")]]);
  });

  test("shows how the latest articles do", async () => {
    await push("Rye", ["published: true"]);
    expect(await send("GET", "/api/articles/me?per_page=10")).toMatchObject([
      {
        published_at: expect.any(String),
        title: "Rye",
        page_views_count: 0,
        positive_reactions_count: 0,
        comments_count: 0,
      },
    ]);
  });

  test("asks for the next page after a full one, and finds it empty", async () => {
    await push("Rye", []);
    expect(await send("GET", "/api/articles/me/all?per_page=1000&page=2")).toEqual([]);
  });

  test("pushes ten new files at once", async () => {
    const titles = Array.from({ length: 10 }, (_, number) => `Letter ${number}`);
    await Promise.all(titles.map((title) => push(title, ["published: true"])));
    const found = (await all()).map(({ title }) => title);
    expect(new Set(found)).toEqual(new Set(titles));
  });
});

describe("dev-to-git", () => {
  const send = sender("dev-to-git");

  test("sends a file by the id of a draft, and nothing when the site has it already", async () => {
    const draft = (await sender("dev-to-js")("POST", "/api/articles", {
      body: { article: { title: "To come", body_markdown: "" } },
    })) as Answer;
    const bodies = async () => {
      const found = (await send("GET", "/api/articles/me/all?per_page=1000")) as Answer[];
      return found.map(({ id, body_markdown }) => [id, body_markdown]);
    };
    expect(await bodies()).toEqual([[draft.id, ""]]);
    const markdown =
      "---\r\ntitle: A bench\r\npublished: true\r\ntags: wood\r\nseries:\r\n---\r\n\r\nTwo pallets.\r\n";
    const body = { article: { body_markdown: markdown } };
    await send("PUT", `/api/articles/${draft.id}`, { body });
    expect(await bodies()).toEqual([[draft.id, markdown]]);
  });
});

describe("dev-to-js", () => {
  const send = sender("dev-to-js");
  const create = (title: string) => {
    const article = {
      title,
      body_markdown: "A bowline holds.",
      published: true,
      tags: ["knots"],
      series: "Ropes",
    };
    return send("POST", "/api/articles", { body: { article } }) as Promise<Answer>;
  };

  test("writes an article and changes it", async () => {
    const { id } = await create("Knots");
    const body = { article: { title: "More knots", tags: [] } };
    expect(await send("PUT", `/api/articles/${id}`, { body })).toMatchObject({
      type_of: "article",
      title: "More knots",
      tag_list: "",
      tags: [],
      body_html: "<p>A bowline holds.</p>\n",
    });
  });

  test("learns by the status alone what it did wrong", async () => {
    const body = { article: { title: "No text" } };
    const error = { error: expect.any(String) };
    expect(await send("POST", "/api/articles", { body, status: 422 })).toMatchObject(error);
    expect(await send("GET", "/api/articles/999999", { status: 404 })).toMatchObject(error);
  });

  test("reads every list of articles, tags and people that it knows", async () => {
    const { id, slug, collection_id, user } = await create("Knots");
    const { username, user_id } = user as { username: string; user_id: number };
    const lists = [
      "/api/articles",
      "/api/articles?page=1&per_page=50",
      "/api/articles?tag=knots",
      `/api/articles?username=${username}&state=all`,
      "/api/articles?state=fresh",
      "/api/articles?top=7",
      `/api/articles?collection_id=${String(collection_id)}`,
      "/api/articles/me",
      "/api/articles/me/published?page=1&per_page=3",
      "/api/articles/me/all",
    ];
    for (const url of lists) {
      expect([url, await send("GET", url)]).toEqual([
        url,
        expect.arrayContaining([expect.objectContaining({ id })]),
      ]);
    }
    // This client numbers the states.
    expect(await send("GET", "/api/articles?state=2")).toEqual([]);
    expect(await send("GET", "/api/articles/me/unpublished")).toEqual([]);
    expect(await send("GET", "/api/tags?page=1&per_page=1")).toMatchObject([{ name: expect.any(String) }]);
    for (const url of [`/api/articles/${id}`, `/api/articles/${username}/${String(slug)}`]) {
      expect(await send("GET", url)).toMatchObject({ id, tag_list: "knots", tags: ["knots"] });
    }
    for (const url of ["me", user_id, `by_username?url=${username}`]) {
      expect(await send("GET", `/api/users/${url}`)).toMatchObject({ type_of: "user", username });
    }
  });
});

describe("gatsby-source-dev", () => {
  test("asks for a web page and gets the articles of a person, then each with its body", async () => {
    const author = await world.user();
    const { id } = await world.article(author, { body_markdown: "Hello." });
    key = undefined;
    const list = sender("gatsby-source-dev, listing");
    expect(await list("GET", `/api/articles?username=${author.username}`)).toMatchObject([{ id }]);
    const read = sender("gatsby-source-dev, reading");
    expect(await read("GET", `/api/articles/${id}`)).toMatchObject({ id, body_html: "<p>Hello.</p>\n" });
  });
});

describe("cross-post-blog", () => {
  const send = sender("cross-post-blog");
  const article = {
    title: "Mending a kettle",
    published: true,
    body_markdown: "First _drain_ it.\n\n* solder\n* flux",
    canonical_url: "https://blog.example/kettle.html",
    main_image: "https://blog.example/kettle.png",
  };

  test("posts a page of another site once, and shows the sentence that refuses it the second time", async () => {
    const made = (await send("POST", "/api/articles", { body: { article } })) as Answer;
    expect(made).toMatchObject({
      url: expect.stringMatching(/^https:/),
      canonical_url: article.canonical_url,
    });
    const second = { ...article, title: "Mending a kettle, again" };
    expect(await send("POST", "/api/articles", { body: { article: second }, status: 422 })).toEqual({
      error: `Canonical url has already been taken by your article "Mending a kettle" (id ${made.id})`,
      status: 422,
    });
  });
});
