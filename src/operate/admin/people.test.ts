import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cookieFor, postForm } from "../../../test/accounts.ts";
import { worldForAll } from "../../../test/world.ts";
import * as factors from "../../community/users/second-factor.ts";
import * as settings from "../../platform/settings/settings.ts";

const NOW = new Date("2026-03-02T10:00:00Z");
const world = worldForAll({ now: NOW });
let cookie: string;
let ada: { id: number };
beforeAll(async () => {
  cookie = await cookieFor(world, (await world.user({ username: "lena", role: "admin" })).id);
  ada = await world.user({ username: "ada", name: "Ada Ortiz", email: "ada@example.com" });
  await world.user({ username: "mara", name: "Mara Ito", role: "moderator" });
});
beforeEach(() => sql`truncate staff_log`.execute(world.superuser));

const get = (url: string) => world.get(url, { headers: { accept: "text/html", cookie } });
const post = (url: string, values: Record<string, string>, own = cookie) =>
  postForm(world, url, values, { cookie: own });
const logged = () => world.db.selectFrom("staff_log").select(["act", "on_name"]).orderBy("id").execute();
const idOf = async (username: string) =>
  (await world.db.selectFrom("users").select("id").where("username", "=", username).executeTakeFirstOrThrow())
    .id;
const userOf = (id: number) =>
  world.db.selectFrom("users").select(["username", "role"]).where("id", "=", id).executeTakeFirst();

describe("/admin/people", () => {
  test.each([
    ["ada", ["ada"]],
    ["ortiz", ["ada"]],
    ["Mara I", ["mara"]],
    ["ADA@example.com", ["ada"]],
    ["ada@example", []],
    ["", ["mara", "ada", "lena"]],
    ["' & :*", []],
  ])("finds people by name, username and e-mail address: %j", async (q, names) => {
    const { status, text } = await get(`/admin/people?q=${encodeURIComponent(q)}`);
    expect(status).toBe(200);
    expect([...text.matchAll(/<span>@(\w+)<\/span>/g)].map(([, name]) => name)).toEqual(names);
    expect(text.includes("Nothing found")).toBe(names.length === 0);
  });

  test("goes on after the last one of a page", async () => {
    for (let number = 0; number < 50; number++)
      await world.user({ username: `many_${number}`, name: "Many Moor" });
    const { text } = await get("/admin/people?q=moor");
    expect(text).not.toContain('rel="next"');
    await world.user({ username: "many_50", name: "Many Moor" });
    const [, next = ""] = /href="([^"]+)" rel="next"/.exec((await get("/admin/people?q=moor")).text) ?? [];
    const second = (await get(next.replaceAll("&amp;", "&"))).text;
    expect([...second.matchAll(/<span>@(\w+)<\/span>/g)].map(([, name]) => name)).toEqual(["many_0"]);
  });
});

describe("/mod/people/{id}", () => {
  const url = () => `/mod/people/${ada.id}`;

  test("shows a person, and none for another id", async () => {
    const { text } = await get(url());
    for (const part of ["Ada Ortiz", "@ada", "Change the role"]) expect(text).toContain(part);
    for (const id of ["0", "999999", "x", "99999999999"])
      expect((await get(`/mod/people/${id}`)).status).toBe(404);
  });

  test("has the acts of admins for admins alone", async () => {
    const mara = await cookieFor(world, await idOf("mara"));
    const { status, text } = await world.get(url(), { headers: { accept: "text/html", cookie: mara } });
    expect(status).toBe(200);
    for (const part of ["ada@example.com", "Change the role", "Make a sign-in link", "Export", "Delete"])
      expect(text).not.toContain(part);
    for (const act of ["role", "link", "sessions", "factor", "export", "delete"])
      expect([act, (await post(url(), { act, role: "admin", username: "ada" }, mara)).status]).toEqual([
        act,
        404,
      ]);
    expect([await userOf(ada.id), await logged()]).toEqual([{ username: "ada", role: "member" }, []]);
  });

  test("changes a role, logs it, and refuses another one and one's own", async () => {
    expect((await post(url(), { role: "moderator" })).headers["location"]).toBe(`${url()}?done=acted`);
    expect(await userOf(ada.id)).toMatchObject({ role: "moderator" });
    for (const role of ["owner", ""]) expect((await post(url(), { role })).status).toBe(422);
    expect((await post(`/mod/people/${await idOf("lena")}`, { role: "member" })).status).toBe(422);
    expect(await logged()).toEqual([{ act: "change_role", on_name: "@ada" }]);
    await post(url(), { role: "member" });
  });

  test("asks for the password first, and does nothing until then", async () => {
    world.setNow(new Date(NOW.getTime() + 16 * 60_000));
    for (const values of [
      { role: "admin" },
      { act: "link" },
      { act: "export" },
      { act: "delete", username: "ada" },
    ]) {
      const { status, headers } = await post(url(), values);
      expect([status, headers["location"]]).toEqual([
        303,
        `/confirm-password?next=${encodeURIComponent(url())}`,
      ]);
    }
    world.setNow(NOW);
    expect([await userOf(ada.id), await logged()]).toEqual([{ username: "ada", role: "member" }, []]);
  });

  test("makes a sign-in link, which is shown once and works once, and notifies the person", async () => {
    const { status, text } = await post(url(), { act: "link" });
    expect(status).toBe(200);
    const [link = ""] = /https:\/\/ink\.example\/signin\/link\/[\w.-]+/.exec(text) ?? [];
    const own = await world.get(new URL(link).pathname, { headers: { accept: "text/html" } });
    expect(own.status).toBe(200);
    expect((await get(url())).text).not.toContain("/signin/link/");
    const notices = await world.db
      .selectFrom("notifications")
      .select("kind")
      .where("user_id", "=", ada.id)
      .execute();
    expect(notices).toEqual([{ kind: "security" }]);
    expect(await logged()).toEqual([{ act: "make_sign_in_link", on_name: "@ada" }]);
  });

  test("ends sessions, and turns the second factor off", async () => {
    const own = await cookieFor(world, ada.id);
    await factors.storeSecret(world.db, ada.id, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", NOW);
    expect((await post(url(), { act: "sessions" })).status).toBe(303);
    expect(
      (await world.get("/settings", { headers: { accept: "text/html", cookie: own } })).headers["location"],
    ).toContain("/signin");
    expect((await post(url(), { act: "factor" })).status).toBe(303);
    expect(await factors.find(world.db, ada.id)).toBeUndefined();
    // There is none any more, so there is nothing to log.
    expect((await post(url(), { act: "factor" })).status).toBe(303);
    expect(await logged()).toEqual(
      ["end_sessions", "turn_factor_off"].map((act) => ({ act, on_name: "@ada" })),
    );
  });

  test("exports the archive of a person as a download", async () => {
    const { status, headers, text } = await post(url(), { act: "export" });
    expect([status, headers["content-type"]]).toEqual([200, "application/zip"]);
    expect(headers["content-disposition"]).toBe('attachment; filename="ada.zip"');
    expect(text.startsWith("PK")).toBe(true);
    expect(text).toContain("profile.json");
    expect(await logged()).toEqual([{ act: "export_user", on_name: "@ada" }]);
  });

  test("deletes an account once its name is typed", async () => {
    const wrong = await post(url(), { act: "delete", username: "adah" });
    expect([wrong.status, await userOf(ada.id)]).toEqual([422, { username: "ada", role: "member" }]);
    expect((await post(url(), { act: "delete", username: " Ada " })).headers["location"]).toBe(
      "/admin/people?done=acted",
    );
    expect(await userOf(ada.id)).toBeUndefined();
    expect((await logged()).map(({ act }) => act)).toEqual(["delete_user"]);
  });
});

describe("/admin", () => {
  test("begins with what is left to do, until it is put away", async () => {
    const { text } = await get("/admin");
    for (const part of ["What is left to do", 'href="/new"', 'href="/admin/settings#logo"', 'href="#mail"'])
      expect(text).toContain(part);
    expect(text).toContain('id="mail"');
    // There are several people.
    expect(text).not.toContain("Invite people");
    expect((await post("/admin", { act: "put_away" })).status).toBe(303);
    expect((await settings.read(world.db)).first_steps).toBe("hidden");
    expect((await get("/admin")).text).not.toContain("What is left to do");
  });

  test("shows doctor's findings, the version, and what is new as a chart with its table", async () => {
    const author = await world.user({ username: "zoe", created_at: "2026-03-01T10:00:00Z" });
    await world.article(author, { published_at: "2026-03-02T09:00:00Z" });
    const { text } = await get("/admin");
    for (const part of [
      "inkstone doctor",
      "BACKUP_DIR isn't set",
      "PostgreSQL",
      "Inkstone 0.",
      "No email, webhook, feed or job",
    ])
      expect(text).toContain(part);
    expect(text).toContain('aria-label="New articles by day"');
    expect(text).toContain('<rect x="290" y="0" width="9" height="40"');
    expect(text).toMatch(/<th scope="row">2026-03-02<\/th><td>\d+<\/td><td>1<\/td><td>0<\/td>/);
    expect(text).toContain('<th scope="row">2026-03-01</th><td>1</td><td>0</td><td>0</td>');
    expect([...text.matchAll(/<th scope="row">/g)]).toHaveLength(30);
  });

  test("retries and discards what has failed", async () => {
    const { db } = world;
    await sql`
      insert into mails (kind, user_id, about, created_at, state, attempts, finished_at, reply)
      select 'mention', id, '{}', ${NOW}, 'failed', 9, ${NOW}, '550 no such box' from users where username in ('mara', 'zoe')`.execute(
      db,
    );
    const added = await sql<{ id: string }>`select (graphile_worker.add_job('broken', '{}')).id`.execute(db);
    await sql`
      update graphile_worker._private_jobs set attempts = 25, last_error = 'It broke'
      where id = ${added.rows[0]?.id}`.execute(world.superuser);
    const endpoint = await world.webhook(await world.user({ username: "ivo" }));
    await sql`update webhook_endpoints set disabled_at = ${NOW}, disabled_reason = 'Gone.'`.execute(db);
    const { text } = await get("/admin");
    for (const part of ["mention to mara", "550 no such box", "broken", "It broke", "of ivo", "Gone."])
      expect(text).toContain(part);
    const acts = [...text.matchAll(/value="((?:retry|discard) \w+ \d+)"/g)].map(([, act = ""]) => act);
    expect(acts.map((act) => act.replace(/\d+$/, ""))).toEqual(
      ["retry emails ", "discard emails ", "retry emails ", "discard emails "].concat([
        "retry webhooks ",
        "retry jobs ",
        "discard jobs ",
      ]),
    );
    const [first = "", , , second = "", , job = ""] = acts;
    for (const act of [first, second, `retry webhooks ${endpoint.id}`, job])
      expect([act, (await post("/admin", { act })).status]).toEqual([act, 303]);
    const mails = await db.selectFrom("mails").select(["state", "attempts"]).execute();
    expect(mails).toEqual([{ state: "pending", attempts: 0 }]);
    expect(await db.selectFrom("webhook_endpoints").select("disabled_at").execute()).toEqual([
      { disabled_at: null },
    ]);
    const { rows } =
      await sql`select attempts from graphile_worker.jobs where task_identifier = 'broken'`.execute(db);
    expect(rows).toEqual([{ attempts: 0 }]);
    expect((await logged()).map(({ act }) => act)).toEqual([
      "retry_failure",
      "discard_failure",
      "retry_failure",
      "retry_failure",
    ]);
    for (const act of [
      "retry nothing 1",
      "retry constructor 1",
      "discard webhooks 1",
      "retry emails x",
    ].concat(["discard emails 999", "retry feeds 999", "retry jobs 999", "discard jobs 999"]))
      expect([act, (await post("/admin", { act })).status]).toEqual([act, 404]);
    expect((await post("/admin", { act: "retry emails 999" })).status).toBe(422);
    expect(await logged()).toHaveLength(4);
    const discard = acts.at(-1) ?? "";
    await post("/admin", { act: discard });
    expect((await get("/admin")).text).not.toContain("It broke");
  });
});
