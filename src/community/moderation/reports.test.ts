import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { cookieFor, postForm } from "../../../test/accounts.ts";
import { worldForAll } from "../../../test/world.ts";
import { operator } from "../../http/actor.ts";
import * as log from "../log/log.ts";
import { makeSignInLink } from "./access.ts";
import { unpublishAll } from "./acts.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const world = worldForAll({
  now: NOW,
  rateLimits: true,
  settings: { write_burst: "10000", read_burst: "10000" },
});
const cookies: Record<string, string> = {};
let article: { id: number; slug: string };
let listing: number;
let lena: number;

beforeAll(async () => {
  for (const [username, role] of Object.entries({
    mara: "moderator",
    lena: "member",
    bob: "member",
    eve: "member",
  })) {
    const { id } = await world.user({ username, role, registered_at: "2020-01-01T00:00:00Z" });
    cookies[username] = await cookieFor(world, id);
    if (username === "lena") lena = id;
  }
  article = await world.article({ username: "lena" }, { title: "Looms & herons" });
  listing = (await world.listing({ username: "lena" })).id;
});

const headersOf = (who: string) => ({ accept: "text/html", ...(who && { cookie: cookies[who] ?? "" }) });
const get = (url: string, who = "") => world.get(url, { headers: headersOf(who) });
const post = (url: string, values: Record<string, string>, who: string) =>
  postForm(world, url, values, headersOf(who));
const report = (url: string, who = "bob", more = {}) =>
  post(`/reports/${url}`, { reason: "spam", text: "Look <here>", ...more }, who);
const open = () => world.db.selectFrom("reports").selectAll().where("closed_at", "is", null).execute();

test("members report from the page of a thing, once, and moderators see it until one of them decides", async () => {
  const path = `/reports/article/${article.id}`;
  expect((await get(`/lena/${article.slug}`, "bob")).text).toContain(`href="${path}"`);
  expect((await get(`/lena/${article.slug}`, "lena")).text).not.toContain(path);
  expect((await get(path, "bob")).text).toContain("Report this article");
  expect((await get(path, "bob")).text).toContain("Looms &amp; herons</a>");
  const extra = { author_id: "1", closed_at: "2026-01-01", created_at: "2020-01-01", reporter_id: "1" };
  const done = await report(`article/${article.id}`, "bob", extra);
  expect(done).toMatchObject({ status: 303, headers: { location: `${path}?done=1` } });
  expect((await get(`${path}?done=1`, "bob")).text).toContain("Reported");
  expect(await open()).toMatchObject([{ author_id: lena, reason: "spam", created_at: NOW }]);
  const again = await report(`article/${article.id}`);
  expect([again.status, again.text.includes("You have reported this already")]).toEqual([422, true]);
  await report(`article/${article.id}`, "eve", { reason: "rules", text: "" });
  const { text } = await get("/mod", "mara");
  for (const words of ["Looms &amp; herons", "Look &lt;here>", "@bob", "@eve", "Against the rules", "@lena"])
    expect(text).toContain(words);
  const answer = await post(`/mod/article/${article.id}/dismiss`, { reason: "It is fine" }, "mara");
  expect(answer.headers.location).toBe("/mod?done=acted");
  expect((await get("/mod?done=acted", "mara")).text).toContain("Nothing to decide");
  expect(await open()).toEqual([]);
  const late = await post(`/mod/article/${article.id}/dismiss`, {}, "mara");
  expect(late.headers.location).toBe("/mod?done=meanwhile");
  expect(await log.list(world.db, { limit: 9 })).toMatchObject([
    { act: "dismiss_report", reason: "It is fine" },
  ]);
});

test("an act on a thing closes its reports, and no others", async () => {
  await report(`listing/${listing}`);
  await report(`user/${lena}`);
  await post(`/mod/listing/${listing}/unpublish`, {}, "mara");
  expect(await open()).toMatchObject([{ kind: "user" }]);
  expect((await get(`/mod/people/${lena}`, "mara")).text).toContain('<span><a href="/lena">');
  await post(`/mod/user/${lena}/note`, { note: "Asks often" }, "mara");
  expect((await get(`/mod/people/${lena}`, "mara")).text).toContain("Asks often");
  await makeSignInLink(operator(world.db), lena);
  expect(await open()).toHaveLength(1);
  expect((await get("/mod", "mara")).text).toContain("1 earlier measure<");
  await post(`/mod/user/${lena}/dismiss`, {}, "mara");
});

test.each(["spam", "unpublish"])("all reports of a person and the texts close after %s", async (act) => {
  const { id } = await world.user({ username: `sol_${act}` });
  const text = await world.article({ username: `sol_${act}` });
  for (const thing of [`article/${text.id}`, `user/${id}`]) await report(thing);
  expect(await open()).toHaveLength(2);
  if (act === "spam") await post(`/mod/user/${id}/spam`, {}, "mara");
  else await unpublishAll(operator(world.db), { id });
  expect(await open()).toEqual([]);
});

test("what can't be read, or is one's own, can't be reported, and nothing is kept", async () => {
  const draft = await world.article({ username: "lena" }, { published: false });
  const comment = await world.comment({ username: "lena" }, { article: article.slug, hidden: true });
  for (const url of [
    `article/${draft.id}`,
    `comment/${comment.id}`,
    "user/99999",
    `listing/${listing}`,
    "podcast/1",
  ])
    expect([url, (await report(url, "eve")).status]).toEqual([url, 404]);
  const own = await report(`article/${article.id}`, "lena");
  expect([own.status, own.text.includes("your own")]).toEqual([422, true]);
  const odd = await report(`user/${lena}`, "eve", { reason: "boring" });
  expect([odd.status, odd.text.includes("must be one of those offered")]).toEqual([422, true]);
  const long = await report(`user/${lena}`, "eve", { text: "x".repeat(1_001) });
  expect([long.status, long.text.includes("is too long (maximum is 1000 characters)")]).toEqual([422, true]);
  expect(await open()).toEqual([]);
});

test("strangers see whom to write to", async () => {
  const { status, text } = await get(`/reports/article/${article.id}`);
  expect([status, text.includes("Ask an admin"), text.includes("<textarea")]).toEqual([200, true, false]);
  expect(text).toContain(
    `href="/signin?next=${encodeURIComponent(`/reports/article/${article.id}`)}">sign in</a>`,
  );
  expect((await report(`article/${article.id}`, "")).status).toBe(401);
});

test("a member reports twenty things a day", async () => {
  const statuses = [];
  for (let n = 0; n < 21; n++) {
    const { id } = await world.user({ username: `person${n}` });
    statuses.push((await report(`user/${id}`, "eve")).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 19 }, () => 303), 429, 429]);
});

test("texts of accounts younger than three days are listed, with what may be done", async () => {
  const young = await world.user({ username: "young", registered_at: "2026-03-30T00:00:00Z" });
  await sql`update users set origin = 'registration' where id = ${young.id}`.execute(world.db);
  await world.comment({ username: "young" }, { article: article.slug, body_markdown: "First egret" });
  const { text } = await get("/mod/new", "mara");
  expect([text.includes("First egret"), text.includes("Looms")]).toEqual([true, false]);
  expect(text).toContain(">Hide</button>");
});

test("lists of moderators use indexes, in the order of their rows", async () => {
  const plans = await world.db.transaction().execute(async (tx) => {
    for (const way of ["seqscan", "bitmapscan"])
      await sql`set local ${sql.ref(`enable_${way}`)} = off`.execute(tx);
    const found: string[] = [];
    for (const statement of [
      sql`select * from staff_log where id < 1000000 order by id desc limit 51`,
      sql`select * from staff_log where act = 'hide_comment' order by id desc limit 51`,
      sql`select * from staff_log where user_id = 1 order by id desc limit 51`,
      sql`select * from reports where author_id = 1 order by id desc limit 50`,
      sql`select kind, thing_id from reports where closed_at is null group by 1, 2 order by max(id) desc limit 21`,
    ]) {
      const { rows } = await sql<{ "QUERY PLAN": string }>`explain ${statement}`.execute(tx);
      found.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
    }
    return found;
  });
  for (const plan of plans) expect(plan).toContain("Index Scan");
  expect(plans.slice(0, 4).join("\n")).not.toContain("Sort");
});
