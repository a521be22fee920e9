import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cases, sample } from "../setup.ts";
import type { Reply } from "../world.ts";
import { CANARY, type Cast, ORGANIZATION, type Role, startCast, STATES, type State } from "./cast.ts";
import { describe as describeApi, type Operation, requestFor } from "./operations.ts";
import { ROWS } from "./role-table.ts";

/** An article or a listing. */
interface Thing {
  id: number;
  slug: string;
  /** Of a comment on it. */
  code: string;
  state: string;
}

/** Those who have nothing to do with the owner, or not enough to see what isn't public. */
const OUTSIDERS: readonly Role[] = ["anonymous", "stranger", "member", "moderator"];
const OF_EACH_STATE = cases(6, 2);

let cast: Cast;
let operations: Operation[];
let articles: Thing[];
let listings: Thing[];
beforeAll(async () => {
  cast = await startCast();
  operations = describeApi(cast.world.app).operations;
  articles = [];
  listings = [];
  for (const state of ["unpublished", "published"] as const) {
    listings.push({ ...(await cast.listing(cast.people.owner, state)), code: "" });
  }
  for (let round = 0; round < OF_EACH_STATE; round++) {
    for (const state of STATES) articles.push(await cast.article(cast.people.owner, state));
    articles.push(await deleted());
  }
});
afterAll(() => cast.world.stop());

async function deleted(): Promise<Thing> {
  const { id, slug, code } = await cast.article(cast.people.owner, "draft");
  const { status } = await cast.world.request({
    method: "DELETE",
    url: `/api/articles/${id}`,
    key: cast.keyOf("owner"),
  });
  expect(status).toBe(204);
  return { id, slug, code, state: "deleted" };
}

const ask = (operation: Operation, { id, slug, code }: Omit<Thing, "state">, role: Role): Promise<Reply> =>
  cast.world.request({
    ...requestFor(operation, { id, slug, code, author: cast.people.owner }),
    key: cast.keyOf(role),
  });

/** The distinguishing parts of an answer. */
const seen = ({ status, text, headers }: Reply) => [status, text, headers["etag"], headers["cache-control"]];

/** The possible subjects of an operation. */
const thingsOf = ({ path }: Operation) => (path.startsWith("/api/listings/") ? listings : articles);

const namesOne = ({ path, parameters }: Operation) =>
  path.startsWith("/api/comments") ||
  path === "/api/listings/{id}" ||
  (path.startsWith("/api/articles/") &&
    (path.includes("{") || parameters.some(({ name }) => name === "url")));

describe("what isn't public", () => {
  test("answers those who may not see it exactly as if it didn't exist", async () => {
    let count = 0;
    for (const operation of operations.filter(namesOne)) {
      for (const role of OUTSIDERS) {
        const unknown = await ask(
          operation,
          { id: 2_000_000_000, slug: "no-such-thing", code: "nnnnn" },
          role,
        );
        for (const thing of thingsOf(operation).filter(({ state }) => state !== "published")) {
          if (expectedOf(operation, thing.state, role) < 400) continue;
          const name = [operation.method, operation.path, thing.state, role];
          expect([...name, ...seen(await ask(operation, thing, role))]).toEqual([...name, ...seen(unknown)]);
          count++;
        }
      }
    }
    expect(count).toBeGreaterThan(OF_EACH_STATE * 66);
  });

  test("is found under no name but its own, and what is public under no other's either", async () => {
    const { owner, stranger } = cast.people;
    for (const { slug, state } of articles) {
      for (const username of [ORGANIZATION, owner.username, stranger.username, "nobody", "1"]) {
        const isIt = username === ORGANIZATION && state === "published";
        for (const url of [
          `/api/articles/${username}/${slug}`,
          `/api/articles/${username}%2F${slug}`,
          `/api/articles/by_path?url=/${username}/${slug}`,
          `/api/articles/by_path?url=https://ink.example/${username}/${slug}`,
        ]) {
          const { status } = await cast.world.get(url, { key: cast.keyOf("stranger") });
          expect([url, state, status]).toEqual([url, state, isIt ? 200 : 404]);
        }
      }
    }
  });

  test("can't be changed by others by its id", async () => {
    const writes = operations.filter((one) => namesOne(one) && one.method !== "GET");
    expect(writes.length).toBeGreaterThan(2);
    const methods = (operation: Operation) =>
      operation.method === "PUT" ? [operation, { ...operation, method: "PATCH" }] : [operation];
    for (const operation of writes.flatMap(methods)) {
      for (const thing of thingsOf(operation)) {
        for (const role of [...OUTSIDERS, "org_admin"] as const) {
          const expected = expectedOf(operation, thing.state, role);
          if (expected < 400) continue;
          const { status } = await ask(operation, thing, role);
          const name = [operation.method, operation.path, thing.state, role];
          expect([...name, status]).toEqual([...name, expected]);
        }
      }
    }
  });
});

/** As in the table; deleted things are gone for all roles, except for comments, as under a draft. */
function expectedOf({ method, path }: Operation, state: string, role: Role): number {
  if (state === "deleted" && !path.startsWith("/api/comments")) return role === "anonymous" ? 401 : 404;
  const operation = `${method === "PATCH" ? "PUT" : method} ${path}`;
  const row = ROWS.find((one) => one.operation === operation && one.state === (state as State));
  // A state without a row of its own is as hidden as a draft.
  return (row ?? ROWS.find((one) => one.operation === operation && one.state === "draft"))?.expected[
    role
  ] as number;
}

test("no outsider ever sees a word of what isn't public, wherever they look", async () => {
  const values = [
    CANARY,
    CANARY.slice(0, -1),
    `${CANARY}*`,
    ORGANIZATION,
    "olga",
    ...listings.flatMap(({ id, slug }) => [String(id), slug]),
    // One of every state.
    ...articles
      .slice(0, STATES.length + 1)
      .flatMap(({ id, slug, code }) => [String(id), slug, code, `/${ORGANIZATION}/${slug}`]),
  ];
  const reads = operations.filter(({ method }) => method === "GET");
  const paths = reads.flatMap((operation) => [
    pathOf(operation),
    ...operation.parameters
      .filter(({ in: place }) => place === "query")
      .flatMap(({ name }) =>
        values.map((value) => `${pathOf(operation)}?${name}=${encodeURIComponent(value)}`),
      ),
    ...(operation.path.includes("{")
      ? values.map((value) => pathOf(operation, encodeURIComponent(value)))
      : []),
  ]);
  const pages = ["/", "/api/docs", "/api/openapi.json", "/sitemap.xml", "/feed", `/${ORGANIZATION}`, "/olga"];
  expect(paths.length).toBeGreaterThan(300);
  for (const [number, url] of [...pages, ...sample(paths, 400)].entries()) {
    for (const role of sample(OUTSIDERS, 1, number)) {
      const { status, text, headers } = await cast.world.get(url, { key: cast.keyOf(role) });
      // Links to other pages and the sentence of a refusal repeat what was asked.
      const { link: _, ...others } = headers;
      const shown = `${status === 422 ? "" : text} ${JSON.stringify(others)}`;
      expect([url, role, shown.includes(CANARY)]).toEqual([url, role, false]);
    }
  }
  expect(cast.world.bugs).toEqual([]);
});

const pathOf = ({ path }: Operation, value = "1") => path.replaceAll(/\{\w+\}/g, value);

test("a word that stands in nothing public isn't known to the correction of misspelt words", async () => {
  const url = `/api/articles/search?q=${CANARY.slice(0, -1)}`;
  const { headers, body } = await cast.world.get(url);
  expect([headers["x-search-match"], body]).toEqual([undefined, []]);
});
