import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../test/world.ts";

let key: string;
const world = worldForAll();
beforeAll(async () => {
  key = await world.key(await world.user({ username: "ada" }));
});

const send = (method: string, url: string, body: object, headers = {}) =>
  world.request({ method, url, key, body, headers });

const ARTICLE = { title: "A slip", body_markdown: "Words." };
const LISTING = { title: "A loom", body_markdown: "Words.", category: "misc" };
const WEBHOOK = { source: "tests", target_url: "https://hooks.example/a", events: ["article_published"] };

const NEAR = 'Attribute "publised" is unknown and was ignored: did you mean "published"?';

describe("an unknown attribute", () => {
  test("of a new article is ignored, and named with the nearest known name", async () => {
    const { status, body } = await send("POST", "/api/articles", { article: { ...ARTICLE, publised: true } });
    expect(status).toBe(201);
    expect(body).toMatchObject({ title: "A slip", published_at: null, warnings: [NEAR] });
  });

  test("of a changed article is named too, and the response has the ETag of a read", async () => {
    const created = await send("POST", "/api/articles", { article: { ...ARTICLE, title: "Changed" } });
    const { id, ...before } = created.body as { id: number };
    const reply = await send("PUT", `/api/articles/${id}`, { article: { publised: true } });
    expect(reply.status).toBe(200);
    const { edited_at: _, ...after } = before as { edited_at?: string };
    expect(reply.body).toMatchObject({ ...after, warnings: [NEAR] });
    const read = await world.get(`/api/articles/${id}`, { key });
    expect(read.body).not.toHaveProperty("warnings");
    expect(reply.headers["etag"]).toBe(read.headers["etag"]);
  });

  test("of a listing and of a webhook endpoint is named", async () => {
    const made = await send("POST", "/api/listings", { listing: { ...LISTING, tag: "yarn" } });
    expect(made).toMatchObject({
      status: 201,
      body: { tag_list: "", warnings: ['Attribute "tag" is unknown and was ignored: did you mean "tags"?'] },
    });
    const { id } = made.body as { id: number };
    const changed = await send("PUT", `/api/listings/${id}`, { listing: { title: "B", lokation: "Bilbao" } });
    expect(changed.body).toMatchObject({
      title: "B",
      location: null,
      warnings: ['Attribute "lokation" is unknown and was ignored: did you mean "location"?'],
    });
    const endpoint = await send("POST", "/api/webhooks", {
      webhook_endpoint: { ...WEBHOOK, "target-uri": "https://other.example/" },
    });
    expect(endpoint.body).toMatchObject({
      target_url: WEBHOOK.target_url,
      warnings: ['Attribute "target-uri" is unknown and was ignored: did you mean "target_url"?'],
    });
  });

  test("without a near name is named alone", async () => {
    const { body } = await send("POST", "/api/articles", {
      article: { ...ARTICLE, title: "Alone", subforem: 3, __typename: "Article" },
    });
    expect(body).toMatchObject({
      warnings: [
        'Attribute "subforem" is unknown and was ignored.',
        'Attribute "__typename" is unknown and was ignored.',
      ],
    });
  });

  test("beside the object is told where it belongs, or that it is unknown", async () => {
    const { status, body } = await send("POST", "/api/articles", {
      article: { ...ARTICLE, title: "Beside" },
      published: true,
      client: "mine",
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      published_at: null,
      warnings: [
        'Attribute "published" was ignored: it belongs inside "article".',
        'Attribute "client" is unknown and was ignored.',
      ],
    });
  });

  test("is never one that old clients send", async () => {
    const { status, body } = await send("POST", "/api/listings", {
      classified_listing: { ...LISTING, title: "Old", tag_list: "yarn", action: "draft" },
    });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty("warnings");
  });

  test("is named ten times at most, and shortened", async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => [`${"x".repeat(2_000)}${index}`, index]);
    const article = { ...ARTICLE, title: "Many", ...(Object.fromEntries(names) as object) };
    const { status, body } = await send("POST", "/api/articles", { article });
    expect(status).toBe(201);
    const { warnings } = body as { warnings: string[] };
    expect(warnings).toHaveLength(11);
    expect(warnings.at(0)).toBe(`Attribute "${"x".repeat(60)}…" is unknown and was ignored.`);
    expect(warnings.at(-1)).toBe("990 more unknown attributes were ignored.");
  });

  test("is named again in the response to a repeated request", async () => {
    const headers = { "idempotency-key": "once" };
    const body = { article: { ...ARTICLE, title: "Repeated", publised: true } };
    const first = await send("POST", "/api/articles", body, headers);
    const second = await send("POST", "/api/articles", body, headers);
    expect(first.body).toMatchObject({ warnings: [NEAR] });
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(second.body).toEqual(first.body);
  });

  test("does not appear in a refusal", async () => {
    const { status, body } = await send("POST", "/api/articles", { article: { publised: true } });
    expect(status).toBe(422);
    expect(body).not.toHaveProperty("warnings");
  });
});
