import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operator } from "../../src/http/actor.ts";
import * as settings from "../../src/platform/settings/settings.ts";
import { suspend } from "../../src/community/moderation/acts.ts";
import * as factors from "../../src/community/users/second-factor.ts";
import * as sessions from "../../src/community/users/sessions.ts";
import { worldForAll } from "../world.ts";

const NOW = new Date("2026-03-02T10:00:00Z");
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const before = (minutes: number) => new Date(NOW.getTime() - 60_000 * minutes);

/**
 * `stale`: a session whose password was given long ago. `past`: one that nobody has used for 14 days. `unfinished`: one
 * that waits for a code. `lacking`: that of a moderator without the second factor that the community asks of them.
 */
const READERS = [
  "anonymous",
  "member",
  "moderator",
  "admin",
  "suspended",
  "ended",
  "past",
  "stale",
  "unfinished",
  "lacking",
] as const;
type Reader = (typeof READERS)[number];

/** The statuses for these readers, for GET and for POST with an empty form. */
const FORMS = `
GET  /signin               | 200 303 303 303 200 200 200 303 200 303
POST /signin               | 422 422 422 422 422 422 422 422 422 422
GET  /signin/code          | 303 303 303 303 303 303 303 303 200 303
POST /signin/code          | 422 303 303 303 422 422 422 303 422 303
GET  /signin/link/:token   | 404 404 404 404 404 404 404 404 404 404
POST /signin/link/:token   | 404 404 404 404 404 404 404 404 404 404
GET  /reset                | 200 200 200 200 200 200 200 200 200 200
POST /reset                | 303 303 303 303 303 303 303 303 303 303
GET  /signout              | 303 200 200 200 303 303 303 200 303 200
POST /signout              | 303 303 303 303 303 303 303 303 303 303
GET  /setup/:token         | 404 404 404 404 404 404 404 404 404 404
POST /setup/:token         | 404 404 404 404 404 404 404 404 404 404
GET  /settings             | 303 303 303 303 303 303 303 303 303 303
POST /settings             | 401 303 303 303 401 401 401 303 401 303
GET  /settings/profile     | 303 200 200 200 303 303 303 200 303 303
POST /settings/profile     | 401 422 422 422 401 401 401 422 401 303
GET  /settings/account     | 303 200 200 200 303 303 303 200 303 303
POST /settings/account     | 401 422 422 422 401 401 401 303 401 303
GET  /confirm/:token       | 404 404 404 404 404 404 404 404 404 404
POST /confirm/:token       | 404 404 404 404 404 404 404 404 404 404
GET  /settings/password    | 303 200 200 200 303 303 303 200 303 303
POST /settings/password    | 401 422 422 422 401 401 401 422 401 303
GET  /settings/two-factor  | 303 200 200 200 303 303 303 200 303 200
POST /settings/two-factor  | 401 422 422 422 401 401 401 303 401 422
GET  /settings/sessions    | 303 200 200 200 303 303 303 200 303 303
POST /settings/sessions    | 401 404 404 404 401 401 401 303 401 303
GET  /settings/reading     | 303 200 200 200 303 303 303 200 303 303
POST /settings/reading     | 401 422 422 422 401 401 401 422 401 303
GET  /settings/notifications | 303 200 200 200 303 303 303 200 303 303
POST /settings/notifications | 401 303 303 303 401 401 401 303 401 303
GET  /reading-list         | 303 200 200 200 303 303 303 200 303 303
POST /reading-list         | 401 303 303 303 401 401 401 303 401 303
GET  /following            | 303 200 200 200 303 303 303 200 303 303
POST /following            | 401 303 303 303 401 401 401 303 401 303
GET  /take-part/:act/:id   | 303 303 303 303 303 303 303 303 303 303
POST /take-part/:act/:id   | 401 303 303 303 401 401 401 303 401 303
GET  /comments/new         | 303 303 303 303 303 303 303 303 303 303
POST /comments/new         | 401 422 422 422 401 401 401 422 401 303
GET  /comments/:code/edit  | 303 404 404 404 303 303 303 404 303 303
POST /comments/:code/edit  | 401 404 404 404 401 401 401 404 401 303
GET  /comments/:code/delete | 303 404 404 404 303 303 303 404 303 303
POST /comments/:code/delete | 401 404 404 404 401 401 401 404 401 303
GET  /new                  | 303 200 200 200 303 303 303 200 303 303
POST /new                  | 401 422 422 422 401 401 401 422 401 303
GET  /:name/:slug/edit     | 303 404 404 200 303 303 303 404 303 303
POST /:name/:slug/edit     | 401 404 404 303 401 401 401 404 401 303
GET  /:name/:slug/delete   | 303 404 404 200 303 303 303 404 303 303
POST /:name/:slug/delete   | 401 404 404 303 401 401 401 404 401 303
GET  /dashboard            | 303 200 200 200 303 303 303 200 303 303
POST /dashboard            | 401 404 404 404 401 401 401 404 401 303
GET  /unsubscribe/:token   | 404 404 404 404 404 404 404 404 404 404
POST /unsubscribe/:token   | 404 404 404 404 404 404 404 404 404 404
GET  /settings/keys        | 303 200 200 200 303 303 303 200 303 303
POST /settings/keys        | 401 422 422 422 401 401 401 303 401 303
GET  /admin                | 404 404 404 200 404 404 404 404 404 404
POST /admin                | 404 404 404 303 404 404 404 404 404 404
GET  /admin/settings       | 404 404 404 200 404 404 404 404 404 404
POST /admin/settings       | 404 404 404 303 404 404 404 404 404 404
GET  /admin/people         | 404 404 404 200 404 404 404 404 404 404
POST /admin/people         | 404 404 404 303 404 404 404 404 404 404
GET  /admin/tags           | 404 404 404 200 404 404 404 404 404 404
POST /admin/tags           | 404 404 404 303 404 404 404 404 404 404
GET  /admin/tags/:key      | 404 404 404 404 404 404 404 404 404 404
POST /admin/tags/:key      | 404 404 404 404 404 404 404 404 404 404
GET  /admin/organizations  | 404 404 404 200 404 404 404 404 404 404
POST /admin/organizations  | 404 404 404 303 404 404 404 404 404 404
GET  /orgs/new             | 303 200 200 200 303 303 303 200 303 303
POST /orgs/new             | 401 422 422 422 401 401 401 422 401 303
GET  /orgs/:key/settings   | 303 404 404 404 303 303 303 404 303 303
POST /orgs/:key/settings   | 401 404 404 404 401 401 401 404 401 303
GET  /confirm-password     | 303 200 200 200 303 303 303 200 303 200
POST /confirm-password     | 401 422 422 422 401 401 401 422 401 422
GET  /signup               | 200 303 303 303 200 200 200 303 200 303
POST /signup               | 422 303 303 303 422 422 422 303 422 303
GET  /signup/:token        | 404 303 303 303 404 404 404 303 404 303
POST /signup/:token        | 404 404 404 404 404 404 404 404 404 404
GET  /invite/:token        | 404 303 303 303 404 404 404 303 404 303
POST /invite/:token        | 404 404 404 404 404 404 404 404 404 404
GET  /applications         | 303 404 200 200 303 303 303 404 303 303
POST /applications         | 401 404 422 422 401 401 401 404 401 303
GET  /settings/invitations | 303 200 200 200 303 303 303 200 303 303
POST /settings/invitations | 401 422 422 200 401 401 401 422 401 303
GET  /notifications        | 303 200 200 200 303 303 303 200 303 303
POST /notifications        | 401 303 303 303 401 401 401 303 401 303
GET  /notifications/:id    | 303 404 404 404 303 303 303 404 303 303
POST /notifications/:id    | 401 404 404 404 401 401 401 404 401 303
GET  /reports/:kind/:id    | 404 404 404 404 404 404 404 404 404 404
POST /reports/:kind/:id    | 404 404 404 404 404 404 404 404 404 404
GET  /mod                  | 404 404 200 200 404 404 404 404 404 303
POST /mod                  | 404 404 303 303 404 404 404 404 404 303
GET  /mod/new              | 404 404 200 200 404 404 404 404 404 303
POST /mod/new              | 404 404 303 303 404 404 404 404 404 303
GET  /mod/log              | 404 404 200 200 404 404 404 404 404 303
POST /mod/log              | 404 404 303 303 404 404 404 404 404 303
GET  /mod/people/:key      | 404 404 200 200 404 404 404 404 404 303
POST /mod/people/:key      | 404 404 404 422 404 404 404 404 404 303
GET  /mod/:kind/:id/:act   | 404 404 404 404 404 404 404 404 404 303
POST /mod/:kind/:id/:act   | 404 404 404 404 404 404 404 404 404 303`;

const ROWS = FORMS.trim()
  .split("\n")
  .map((line) => {
    const [operation = "", statuses = ""] = line.split("|");
    const [method = "", url = ""] = operation.trim().split(/\s+/);
    return { method, url, statuses: statuses.trim().split(" ").map(Number) };
  });

/** The same for all, but for who reads them. */
const PAGES = ["/", "/tags", "/search?q=x", "/archive", "/about", "/lena", "/lena/wool-1a", "/api/docs"];

let cookies: Record<Reader, string>;

const world = worldForAll({ now: NOW });
beforeAll(async () => {
  const lena = await world.user({ username: "lena" });
  for (const slug of ["wool-1a", "felt-1a"]) await world.article(lena, { slug });
  const begin = async (username: string, at = NOW, role = "member") => {
    const { id } = await world.user({ username, role });
    const hasFactor = ["moderator_1", "admin_1", "unfinished"].includes(username);
    if (hasFactor) await factors.storeSecret(world.db, id, SECRET, NOW);
    const isFinished = username !== "unfinished";
    const token = await sessions.begin(world.db, { userId: id, network: "", browser: "", isFinished }, at);
    return { id, cookie: `__Host-session=${token}` };
  };
  const [suspended, ended, stale] = [
    await begin("away"),
    await begin("out"),
    await begin("stale", before(20)),
  ];
  cookies = {
    anonymous: "",
    member: (await begin("member_1")).cookie,
    moderator: (await begin("moderator_1", NOW, "moderator")).cookie,
    admin: (await begin("admin_1", NOW, "admin")).cookie,
    suspended: suspended.cookie,
    ended: ended.cookie,
    past: (await begin("past", before(15 * 1_440))).cookie,
    stale: stale.cookie,
    unfinished: (await begin("unfinished")).cookie,
    lacking: (await begin("lacking", NOW, "moderator")).cookie,
  };
  await settings.set(world.db, "require_two_factor", "staff");
  await suspend(operator(world.db), { id: suspended.id });
  await sessions.endAll(world.db, ended.id);
});

/** The login differs, because the failures of one are limited. */
const ask = (method: string, url: string, reader: Reader) =>
  world.request({
    method,
    url,
    headers: {
      accept: "text/html",
      cookie: cookies[reader],
      ...(method === "POST" && { "content-type": "application/x-www-form-urlencoded" }),
    },
    ...(method === "POST" && { body: `login=${reader}&reason=spam` }),
  });

test("a report waits for the second factor, too", async () => {
  const { id } = await world.user({ username: "reported" });
  const { status, headers } = await ask("POST", `/reports/user/${id}`, "lacking");
  expect([status, headers.location]).toEqual([303, "/settings/two-factor"]);
});

test("every page with a form has a row", () => {
  const tree = world.app.printRoutes({ commonPrefix: false });
  const own =
    /^ {4}[├└]── (?:setup|reset|settings|signin|signout|confirm|address|unsubscribe|invite|applications|notifications)/gm;
  expect([...tree.matchAll(own)]).not.toEqual([]);
  for (const { method, url } of ROWS)
    expect([url, world.app.hasRoute({ method: method as "GET", url })]).toEqual([url, true]);
  const posts = [...tree.matchAll(/\(GET, HEAD, POST\)/g)].length;
  const ofApi = ["/api/articles", "/api/comments", "/api/listings", "/api/webhooks"].filter((url) =>
    world.app.hasRoute({ method: "POST", url }),
  );
  expect(posts).toBe(ROWS.length / 2 + ofApi.length);
});

test.each(ROWS)("$method $url", async (row) => {
  expect(await statusesOf(row)).toEqual(row.statuses);
});

test.each(["open", "approval", "closed"])("joining has the same statuses in the mode %s", async (mode) => {
  await settings.set(world.db, "registration", mode);
  const ofJoining = ROWS.filter(({ url }) => /^\/(?:signup|invite|applications)/.test(url));
  expect(ofJoining).toHaveLength(8);
  for (const row of ofJoining)
    expect([row.method, row.url, ...(await statusesOf(row))]).toEqual([row.method, row.url, ...row.statuses]);
  await settings.set(world.db, "registration", "invite");
});

async function statusesOf({ method, url }: (typeof ROWS)[number]): Promise<number[]> {
  const actual = [];
  for (const reader of READERS) {
    // Signing out ends the session that other rows need.
    const isEnd = method === "POST" && url === "/signout";
    actual.push(
      (
        await ask(
          method,
          url
            .replace(":token", "A".repeat(43))
            .replace(/:(?:id|code|key)/, "1")
            .replace(":act", "like")
            .replace(":name/:slug", "lena/felt-1a"),
          isEnd ? "anonymous" : reader,
        )
      ).status,
    );
  }
  return actual;
}

describe.each(PAGES)("%s", (url) => {
  test("is a stranger's for everyone without a session, and nothing keeps a member's", async () => {
    const stranger = await ask("GET", url, "anonymous");
    expect(stranger.status).toBe(200);
    for (const reader of READERS) {
      const { status, headers, text } = await ask("GET", url, reader);
      const isOwn = ["member", "moderator", "admin", "stale", "lacking"].includes(reader);
      expect([reader, status, text === stranger.text]).toEqual([reader, 200, !isOwn]);
      expect(headers["cache-control"]).toBe(isOwn ? "private, no-store" : stranger.headers["cache-control"]);
      expect(headers["set-cookie"]).toBeUndefined();
    }
  });
});

describe("in a private community", () => {
  beforeAll(() => settings.set(world.db, "visibility", "private"));
  afterAll(() => settings.set(world.db, "visibility", "public"));

  test.each(PAGES.filter((url) => url !== "/api/docs"))("%s is for members", async (url) => {
    for (const reader of READERS) {
      const isOwn = ["member", "moderator", "admin", "stale"].includes(reader);
      expect([reader, (await ask("GET", url, reader)).status]).toEqual([reader, isOwn ? 200 : 303]);
    }
  });
});
