import { Writable } from "node:stream";
import { expect, describe, test } from "vitest";
import { article, importsInto, user } from "../../../test/community-file.ts";
import { databaseForEach } from "../../../test/own-database.ts";
import { exportFile } from "../../operate/community-file/export.ts";

const database = databaseForEach();
const { load } = importsInto(database);
const PEOPLE = [user("lena"), user("noor"), article("a")];
const view = (fields: object = {}) => ({ type: "page_view", article: "a", on: "2026-02-01", ...fields });

const rows = () =>
  database.db
    .selectFrom("page_views")
    .select(["referrer", "views", "read_time_seconds", "signed_in_views", "signed_in_read_seconds"])
    .orderBy("referrer")
    .orderBy("user_id")
    .execute();

describe("page views of a community file", () => {
  test("are one for each article, day, person and host", async () => {
    const lines = [
      view(),
      view({ referrer: "https://News.example/a?b=c" }),
      view({ user: "Noor", referrer: "news.example", count: 2, read_time_seconds: 30 }),
    ];
    expect(await load([...PEOPLE, ...lines])).toMatchObject({ created: 6 });
    expect(await rows()).toEqual([
      { referrer: "", views: "1", read_time_seconds: 0, signed_in_views: "0", signed_in_read_seconds: "0" },
      {
        referrer: "news.example",
        views: "2",
        read_time_seconds: 30,
        signed_in_views: "2",
        signed_in_read_seconds: "60",
      },
      {
        referrer: "news.example",
        views: "1",
        read_time_seconds: 0,
        signed_in_views: "0",
        signed_in_read_seconds: "0",
      },
    ]);
    expect(await load(lines)).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
    expect(await load([view({ referrer: "NEWS.example.", count: 5 }), view({ count: 5 })])).toMatchObject({
      updated: 2,
    });
    // What a large file adds is folded at its end.
    expect(await database.db.selectFrom("analytics_changes").select("id").execute()).toEqual([]);
    const { views } = await database.db
      .selectFrom("analytics_days")
      .select("views")
      .where("kind", "=", "user")
      .where("day", "is", null)
      .executeTakeFirstOrThrow();
    expect(views).toBe("12");
  });

  test.each([
    [{ article: "b" }, 'article "b" is not one of the site or of an earlier line'],
    [{ user: "nobody" }, 'user "nobody" is not one of the site or of an earlier line'],
    [{ on: "2026-02-30" }, 'on must be a day of the calendar like 2026-03-31, not "2026-02-30"'],
    [{ on: "1.2.2026" }, "on must be a day of the calendar"],
    [{ on: "0000-01-01" }, "on must be a day of the calendar"],
    [{ referrer: "http://" }, 'referrer must be an address or a host, not "http://"'],
    [{ referrer: "two words" }, "referrer must be an address or a host"],
    [{ count: 0 }, "count must be a whole number from 1 to 100000000, not 0"],
    [{ read_time_seconds: 86_401 }, "read_time_seconds must be a whole number from 0 to 86400"],
    [{ user: "noor", signed_in_count: 1 }, "are for views that name no user"],
    [{ count: 2, signed_in_count: 3 }, "signed_in_count must not be more than count, which is 2"],
  ])("%j is refused, and nothing is kept", async (fields, sentence) => {
    await expect(load([...PEOPLE, view(), view(fields)])).rejects.toThrow(sentence);
    expect(await rows()).toEqual([]);
  });

  test("keep every host they name, and those of other hosts together", async () => {
    const hosts = Array.from({ length: 60 }, (_, index) => view({ referrer: `h${index}.example` }));
    const others = view({ referrer: "other hosts", count: 9 });
    expect(await load([...PEOPLE, ...hosts, others])).toMatchObject({ created: 64 });
    expect((await rows()).at(-1)).toMatchObject({ referrer: "other hosts", views: "9" });
    expect(await load([others])).toMatchObject({ unchanged: 1 });
  });

  test("of an article that is deleted are left out of an export", async () => {
    await load([...PEOPLE, article("b"), view(), view({ article: "b" })]);
    await database.db
      .updateTable("articles")
      .set({ state: "deleted", deleted_at: new Date(), deleted_from: "published" })
      .where("slug", "=", "a")
      .execute();
    const chunks: string[] = [];
    await exportFile(
      database.db,
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          chunks.push(chunk.toString());
          done();
        },
      }),
      { only: ["page_view"] },
    );
    expect(chunks.join("")).toBe('{"type":"page_view","article":"b","on":"2026-02-01"}\n');
  });
});
