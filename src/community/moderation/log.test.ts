import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { NOW, type Written, moderatingForAll } from "../../../test/moderating.ts";
import { faultsIn } from "../../../test/health.ts";
import { operator } from "../../http/actor.ts";
import { verify } from "../../operate/health/invariants.ts";
import { change } from "../settings/changing.ts";
import { storeSecret } from "../users/second-factor.ts";
import * as access from "./access.ts";
import * as removal from "../articles/removal.ts";
import * as log from "../log/log.ts";
import { fanOut } from "../notifications/notifications.ts";
import * as listings from "../listings/listings.ts";
import * as organizations from "../organizations/organizations.ts";
import * as editing from "../tags/editing.ts";
import * as moderation from "../users/moderation.ts";
import * as users from "../users/users.ts";
import { deleteUser } from "./deleting.ts";
import { mergeUsers } from "./merging.ts";
import { aliasTag } from "./tags.ts";

const site = moderatingForAll();
const { person, of, get, post, call, entries, newest, writer } = site;

describe("the log", () => {
  const op = () => operator(site.world.db, () => NOW);
  const job = async () =>
    (await sql<{ id: string }>`select (graphile_worker.add_job('broken', '{}')).id`.execute(site.world.db))
      .rows[0]?.id;
  /** Does each act as it can be done. */
  const DO: Record<log.Act, () => Promise<unknown>> = {
    async dismiss_report() {
      const { article } = await writer("log1");
      await post(`/reports/article/${article.id}`, { reason: "spam" }, "reader");
      await post(`/mod/article/${article.id}/dismiss`);
    },
    unpublish_article: async () => post(`/mod/article/${(await writer("log2")).article.id}/unpublish`),
    delete_article: async () => post(`/mod/article/${(await writer("log3")).article.id}/delete`),
    async restore_article() {
      const { article } = await writer("log4");
      await post(`/mod/article/${article.id}/delete`);
      await removal.restore(op(), article.id);
    },
    hide_comment: async () => post(`/mod/comment/${(await writer("log5")).comment.id}/hide`),
    async show_comment() {
      const { id } = (await writer("log6")).comment;
      await post(`/mod/comment/${id}/hide`);
      await post(`/mod/comment/${id}/show`);
    },
    delete_comment: async () => post(`/mod/comment/${(await writer("log7")).comment.id}/delete`),
    unpublish_listing: async () => post(`/mod/listing/${(await writer("log8")).listing.id}/unpublish`),
    async restore_listing() {
      const { listing } = await writer("log15");
      await post(`/mod/listing/${listing.id}/unpublish`);
      await listings.restore(op(), listing.id, "");
    },
    suspend_user: async () => post(`/mod/user/${(await person("log9")).id}/suspend`, { days: "1" }),
    lift_suspension: () => post(`/mod/user/${of("log9").id}/lift`),
    mark_spam: async () => post(`/mod/user/${(await person("log10")).id}/spam`),
    unmark_spam: () => post(`/mod/user/${of("log10").id}/lift`),
    unpublish_user: async () => call("PUT", `/api/users/${(await writer("log11")).id}/unpublish`, "mara"),
    note_user: () => post(`/mod/user/${of("log11").id}/note`, { note: "Asks often" }),
    change_role: async () =>
      moderation.changeRole(op(), { id: (await person("log12")).id, role: "moderator" }),
    edit_user: () => users.edit(op(), { id: of("log11").id, change: { location: "Here" } }),
    async delete_user() {
      const { id } = await person("log13");
      await deleteUser({ db: site.world.db, files: site.world.context.files }, { id, now: NOW });
    },
    async merge_user() {
      const [from, to] = [(await person("log14")).id, of("log11").id];
      await mergeUsers(
        { db: site.world.db, files: site.world.context.files },
        { from, to, now: NOW, isTrial: false },
      );
    },
    edit_tag: () => editing.edit(op(), { name: "wool", change: { short_summary: "Of sheep" } }),
    alias_tag: () => aliasTag(op(), { name: "woollen", of: "wool" }),
    remove_alias: () => editing.removeAlias(op(), "woollen"),
    create_organization: () => organizations.create(op(), { username: "guild", name: "Guild" }),
    edit_organization: async () =>
      organizations.edit(op(), {
        id: await organizations.find(site.world.db, "guild"),
        change: { location: "Here" },
      }),
    add_member: async () =>
      organizations.addMember(op(), {
        organizationId: await organizations.find(site.world.db, "guild"),
        userId: of("lena").id,
      }),
    remove_member: async () =>
      organizations.removeMember(op(), {
        organizationId: await organizations.find(site.world.db, "guild"),
        userId: of("lena").id,
      }),
    change_setting: () => change(op(), { tagline: "We weave" }),
    make_sign_in_link: () => access.makeSignInLink(op(), of("lena").id),
    end_sessions: () => access.endSessions(op(), of("log11").id),
    async turn_factor_off() {
      await storeSecret(site.world.db, of("lena").id, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", NOW);
      await access.turnFactorOff(op(), of("lena").id);
    },
    export_user: () => access.noteExport(op(), of("lena").id),
    retry_failure: async () => post("/admin", { act: `retry jobs ${await job()}` }, "ada"),
    discard_failure: async () => post("/admin", { act: `discard jobs ${await job()}` }, "ada"),
  };

  test.each(log.ACTS)("has one entry of %s, and moderators read it", async (act) => {
    const before = (await entries()).filter((entry) => entry.act === act).length;
    await DO[act]();
    expect((await entries()).filter((entry) => entry.act === act)).toHaveLength(before + 1);
    const { status, text } = await get(`/mod/log?act=${act}`, "mara");
    expect([status, text.includes("No entries")]).toEqual([200, false]);
  });

  test("keeps an entry without the name of a person who is deleted", async () => {
    const { id } = await writer("ida");
    await post(`/mod/user/${id}/suspend`, { days: "1", reason: "Ida insults" });
    const { id: entry } = (await newest()) ?? { id: "0" };
    await deleteUser({ db: site.world.db, files: site.world.context.files }, { id, now: NOW });
    expect(await log.find(site.world.db, Number(entry))).toMatchObject({
      act: "suspend_user",
      on_name: "",
      reason: null,
      user: null,
    });
    const left = await site.world.db.selectFrom("staff_log").selectAll().execute();
    expect(JSON.stringify(left).toLowerCase()).not.toContain("ida insults");
  });

  test("is read by pages, newest first", async () => {
    for (let n = 0; n < 60; n++)
      await log.record(site.world.db, op(), { act: "edit_tag", on: { kind: "tag", name: `#tag${n}` } });
    const page = await get("/mod/log", "mara");
    const next = /href="([^"]*cursor=[^"]*)"/.exec(page.text)?.[1] ?? "";
    const second = await get(next.replaceAll("&amp;", "&"), "mara");
    expect([page.status, second.status, second.text.includes("No entries")]).toEqual([200, 200, false]);
  });
});

test("after 500 acts, whatever they are, the site agrees with itself", async () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const written: Written[] = [];
  for (const name of ["r1", "r2", "r3", "r4"]) written.push(await writer(name));
  for (let round = 0; round < 500; round++) {
    const { id, article, comment, listing } = written[random(4)] as Written;
    const urls = [
      `/mod/article/${article.id}/unpublish`,
      `/mod/comment/${comment.id}/${["hide", "show"][random(2)]}`,
      `/mod/listing/${listing.id}/unpublish`,
      ...["spam", "suspend", "lift", "lift", "dismiss"].map((act) => `/mod/user/${id}/${act}`),
      `/reports/${["article", "user", "comment"][random(3)]}/${[article.id, id, comment.id][random(3)]}`,
    ];
    const who = ["mara", "moss", "ada"][random(3)];
    const reply = await post(
      urls[random(urls.length)] ?? "",
      { days: ["1", "7", ""][random(3)] ?? "", reason: "spam" },
      who,
    );
    expect(reply.status).toBeLessThan(500);
    if (random(8) === 0) await removal.restore(operator(site.world.db), article.id).catch(() => undefined);
  }
  await fanOut(site.world.db, NOW);
  expect(faultsIn(await verify(site.world.db))).toEqual({});
});
