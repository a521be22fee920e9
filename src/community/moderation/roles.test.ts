import { describe, expect, test } from "vitest";
import { moderatingForAll, NOW } from "../../../test/moderating.ts";
import { cookieFor } from "../../../test/accounts.ts";

const site = moderatingForAll();
const { people, of, post, call, entries, writer } = site;

describe("who may act on whom", () => {
  const SUBJECTS = ["lena", "mara", "moss", "ada", "abe"];
  const ROLE_OF: Record<string, string> = {
    lena: "member",
    mara: "moderator",
    moss: "moderator",
    ada: "admin",
    abe: "admin",
  };
  const MAY: Record<string, readonly string[]> = {
    "": [],
    reader: [],
    mara: ["lena"],
    ada: ["lena", "mara", "moss", "abe"],
  };
  const KINDS = ["unpublish", "hide", "delete-article", "delete-comment", "note", "suspend", "spam"] as const;

  test.each(Object.keys(MAY).flatMap((who) => SUBJECTS.map((subject) => [who, subject] as const)))(
    "%s on %s",
    async (who, subject) => {
      const article = await site.world.article({ username: subject }, {});
      const comment = await site.world.comment({ username: subject }, { article: article.slug });
      const { id } = of(subject);
      const urls: Record<(typeof KINDS)[number], string> = {
        unpublish: `/mod/article/${article.id}/unpublish`,
        hide: `/mod/comment/${comment.id}/hide`,
        "delete-article": `/mod/article/${article.id}/delete`,
        "delete-comment": `/mod/comment/${comment.id}/delete`,
        note: `/mod/user/${id}/note`,
        suspend: `/mod/user/${id}/suspend`,
        spam: `/mod/user/${id}/spam`,
      };
      const isAllowed = MAY[who]?.includes(subject);
      const extra = { role: "admin", suspended: "true", staff_note: "x", author_id: "1", id: "1" };
      for (const kind of KINDS) {
        const before = (await entries()).length;
        const { status } = await post(urls[kind], { days: "1", note: `${who} ${kind}`, ...extra }, who);
        const isStaff = who === "mara" || who === "ada";
        expect([kind, status]).toEqual([kind, isAllowed ? 303 : isStaff ? 422 : 404]);
        expect((await entries()).length).toBe(before + (isAllowed ? 1 : 0));
      }
      for (const [method, path] of [
        ["PUT", "suspend"],
        ["PUT", "spam"],
        ["DELETE", "spam"],
        ["DELETE", "suspend"],
        ["PUT", "unpublish"],
      ]) {
        const { status } = await call(method ?? "", `/api/users/${id}/${path}`, who);
        const isStaff = who === "mara" || who === "ada";
        expect([path, status]).toEqual([
          path,
          isAllowed && path === "suspend" && method === "PUT" ? 422 : isAllowed ? 204 : isStaff ? 422 : 401,
        ]);
      }
      if (isAllowed) await post(`/mod/user/${id}/lift`, {}, "abe");
      people[subject] = { ...of(subject), cookie: await cookieFor(site.world, id) };
      const roles = await site.world.db
        .selectFrom("users")
        .select(["username", "role"])
        .where("suspended", "=", false)
        .execute();
      expect(roles).toContainEqual({
        username: subject,
        role: ROLE_OF[subject],
      });
    },
  );

  test("nothing is there for anyone about what doesn't exist", async () => {
    for (const [method, path] of [
      ["PUT", "suspend"],
      ["DELETE", "suspend"],
      ["PUT", "spam"],
      ["DELETE", "spam"],
      ["PUT", "unpublish"],
    ])
      expect((await call(method ?? "", `/api/users/999999/${path}`, "ada")).status).toBe(404);
    expect((await post("/mod/article/999999/unpublish")).text).toContain("It is gone");
    expect((await post("/mod/user/1/promote")).status).toBe(404);
    for (const reason of ["x".repeat(1_001), "a\u0000b"]) {
      const { status, text } = await post(`/mod/user/${of("lena").id}/suspend`, { days: "1", reason });
      expect([status, text.includes("There is a problem")]).toEqual([422, true]);
    }
  });
});

test("a suspension for the same days in the same minute is none", async () => {
  const { id } = await writer("gil");
  const suspend = () => post(`/mod/user/${id}/suspend`, { days: "7" });
  expect((await suspend()).headers.location).toContain("acted");
  site.world.setNow(new Date(NOW.getTime() + 5_000));
  const before = (await entries()).length;
  expect((await suspend()).headers.location).toContain("meanwhile");
  expect((await entries()).length).toBe(before);
  site.world.setNow(NOW);
});

test("of two moderators at once one acts, and the other hears that it is done", async () => {
  const written = await writer("hal");
  const url = `/mod/comment/${written.comment.id}/hide`;
  const replies = await Promise.all([post(url), post(url, {}, "moss"), post(url, {}, "ada")]);
  const ends = replies.map(({ headers }) => String(headers.location).split("done=")[1]);
  expect(ends.filter((end) => end === "acted")).toHaveLength(1);
  expect(ends.filter((end) => end === "meanwhile")).toHaveLength(2);
  expect(
    (await entries()).filter(({ on_kind, on_id }) => on_kind === "comment" && on_id === written.comment.id),
  ).toHaveLength(1);
});

test("a person's page offers acts, and the note, to those who may act on them", async () => {
  await site.world.article({ username: "moss" }, {});
  await post(`/mod/user/${of("moss").id}/note`, { note: "Asks often" }, "ada");
  const offered = async (who: string, whom: string) => {
    const { text } = await site.get(`/mod/people/${of(whom).id}`, who);
    return ["Suspend</button>", "Note for staff", "Unpublish</button>"].map((part) => text.includes(part));
  };
  expect(await offered("ada", "moss")).toEqual([true, true, true]);
  for (const whom of ["moss", "mara", "ada"])
    expect(await offered("mara", whom)).toEqual([false, false, false]);
  expect(await offered("ada", "ada")).toEqual([false, false, false]);
});
