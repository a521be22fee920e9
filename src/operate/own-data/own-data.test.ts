import { readdir, stat, writeFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { ADDRESS, bytesOf, type SiteName, twoSites } from "../../../test/community-file.ts";
import { SITE } from "../../../test/records.ts";
import { pngOf } from "../../../test/pictures.ts";
import { openZip } from "../archives/zip.ts";
import { MAX_LINE_BYTES } from "../community-file/lines.ts";
import * as choices from "../../mail/choices.ts";
import * as addresses from "../../community/users/addresses.ts";

const sites = twoSites();
const { at, inkstone } = sites;

/** The texts of an archive by name. */
async function read(path: string): Promise<Record<string, string>> {
  const zip = await openZip(path);
  const texts: Record<string, string> = {};
  for (const [name, entry] of zip.entries) {
    texts[name] = (await zip.bytes(entry, MAX_LINE_BYTES)).toString(
      name.endsWith(".png") ? "latin1" : "utf8",
    );
  }
  zip.close();
  return texts;
}

const rows = (text: string | undefined): unknown[] =>
  (text ?? "")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);

async function archiveOf(site: SiteName, username: string, name: string) {
  const outcome = await inkstone(site, "user", "export", username, at(name), "--force");
  expect(outcome).toMatchObject({ code: 0, err: "" });
  return read(at(name));
}

let picture: string;

describe("the archive of a person", () => {
  beforeAll(async () => {
    await writeFile(at("site.ndjson"), bytesOf(SITE));
  });

  test("has their articles as Markdown, their pictures and their lists, and no secrets", async () => {
    expect(await inkstone("here", "import", at("site.ndjson"))).toMatchObject({ code: 0 });
    picture = await sites.upload("here", "lena", pngOf(30, 20));
    const body = `![Loom](${ADDRESS.here}/uploads/${picture}) and <img src="/uploads/${picture}">`;
    const records = [
      {
        type: "article",
        slug: "photos",
        author: "lena",
        title: 'A "loom"',
        body_markdown: body,
        tags: ["wool"],
      },
      { type: "article", slug: "idea", author: "lena", title: "Idea", body_markdown: "", published: false },
    ];
    await writeFile(at("more.ndjson"), bytesOf(records));
    expect(await inkstone("here", "import", at("more.ndjson"))).toMatchObject({ code: 0 });
    await inkstone("here", "key", "create", "--user", "lena", "--description", "For the archive");

    const { id: lena } = await sites
      .db("here")
      .selectFrom("users")
      .select("id")
      .where("username", "=", "lena")
      .executeTakeFirstOrThrow();
    await addresses.wait(sites.db("here"), { userId: lena, address: "lena@new.example" }, new Date());
    await choices.turn(sites.db("here"), { userId: lena, kind: "webhook_disabled" }, false);

    await sites.db("here").updateTable("users").set({ staff_note: "Wary" }).where("id", "=", lena).execute();

    const made = await inkstone("here", "user", "export", "lena", at("lena.zip"), "--json");
    expect(made).toEqual({ code: 0, err: "", out: '{"articles":3,"pictures":1}\n' });
    expect((await stat(at("lena.zip"))).mode & 0o777).toBe(0o600);
    const archive = await read(at("lena.zip"));
    expect(Object.keys(archive)).toEqual([
      "README.txt",
      "profile.json",
      "community.ndjson",
      "articles/first-loom.md",
      "articles/photos.md",
      "articles/idea.md",
      "organizations.ndjson",
      "comments.ndjson",
      "reactions.ndjson",
      "reading-list.ndjson",
      "follows.ndjson",
      "listings.ndjson",
      "notifications.ndjson",
      "mail-choices.ndjson",
      "webhook-endpoints.ndjson",
      "api-keys.ndjson",
      "feeds.ndjson",
      "podcasts.ndjson",
      "views.ndjson",
      `uploads/${picture}`,
    ]);
    expect(archive["articles/first-loom.md"]).toBe("---\ntitle: Other\n---\n# Loom\n\n`a`");
    expect(archive["articles/photos.md"]).toMatch(
      /^---\ntitle: "A \\"loom\\""\npublished: true\npublished_at: .*\n(description: .*\n)?tags: "wool"\n---\n\n!\[Loom\]/,
    );
    expect(archive["articles/idea.md"]).toContain("published: false\n");
    expect(JSON.parse(archive["profile.json"] ?? "")).toMatchObject({
      username: "lena",
      email: "lena@example.org",
      unconfirmed_email: "lena@new.example",
      suspended: true,
    });
    expect(rows(archive["comments.ndjson"])).toMatchObject([
      { article: "/weavers/first-loom", body_markdown: "Wool", parent: expect.stringMatching(/^[0-9a-p]+$/) },
    ]);
    expect(rows(archive["follows.ndjson"])).toMatchObject([
      { organization: "weavers" },
      { tag: "wool", points: 2.5 },
    ]);
    // An article that others can't read any more has no address.
    expect(rows(archive["reading-list.ndjson"])).toMatchObject([{ article: null, status: "archived" }]);
    expect(rows(archive["reactions.ndjson"])).toMatchObject([{ category: "fire" }]);
    expect(rows(archive["organizations.ndjson"])).toEqual([{ organization: "weavers", role: "admin" }]);
    expect(rows(archive["views.ndjson"])).toMatchObject([{ day: "2026-02-01", referrer: "news.example" }]);
    expect(rows(archive["api-keys.ndjson"])).toMatchObject([
      { description: "b", read_only: true },
      { description: "a" },
      { description: "For the archive" },
    ]);
    expect(rows(archive["mail-choices.ndjson"])).toEqual([{ kind: "webhook_disabled", is_on: false }]);
    expect(archive["community.ndjson"]).not.toContain("new.example");
    const text = JSON.stringify(archive);
    for (const secret of [
      "ab".repeat(32),
      "$scrypt",
      "$argon2",
      "sha256",
      "password_hash",
      "staff_note",
      "whsec_",
      "GEZDGNBV",
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  test("is imported elsewhere and exported again the same, and a second import changes nothing", async () => {
    const first = await read(at("lena.zip"));
    const tried = await inkstone("there", "import", at("lena.zip"), "--dry-run");
    expect(tried).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^Nothing was changed\..*\n {2}user: 1 created, .*\n {2}article: 3 created/s,
      ),
    });
    expect(await sites.storedFiles("there")).toEqual([]);
    expect(await sites.db("there").selectFrom("users").select("id").execute()).toEqual([]);

    const imported = await inkstone("there", "import", at("lena.zip"));
    expect(imported).toMatchObject({ code: 0, err: "", out: expect.stringContaining(", 1 picture.") });
    expect(await sites.storedFiles("there")).toEqual([picture]);
    const again = await archiveOf("there", "lena", "again.zip");
    const moved = first["community.ndjson"]
      ?.replaceAll(ADDRESS.here, ADDRESS.there)
      .replaceAll('\\"/uploads/', `\\"${ADDRESS.there}/uploads/`);
    expect(again["community.ndjson"]).toBe(moved);
    expect(again[`uploads/${picture}`]).toBe(first[`uploads/${picture}`]);
    const people = sites
      .db("there")
      .selectFrom("users")
      .select(["username", "role", "suspended", "password_hash"]);
    expect(await people.execute()).toEqual([
      { username: "lena", role: "member", suspended: false, password_hash: null },
    ]);
    const series = sites.db("there").selectFrom("collections").select("slug");
    expect(await series.execute()).toEqual([{ slug: "Looms" }]);

    const repeated = await inkstone("there", "import", at("lena.zip"), "--json");
    expect(JSON.parse(repeated.out)).toMatchObject({ created: 0, updated: 0, skipped: 0 });
    expect(await sites.storedFiles("there")).toEqual([picture]);
  });

  test("has the picture of the profile, and deleted articles apart from the others", async () => {
    await writeFile(at("portrait.png"), pngOf(30, 30));
    const edited = await inkstone("there", "user", "edit", "lena", "--profile-image", at("portrait.png"));
    expect(edited).toMatchObject({ code: 0 });
    const deleted = { state: "deleted", deleted_at: new Date(), deleted_from: "draft" };
    await sites.db("there").updateTable("articles").set(deleted).where("slug", "=", "idea").execute();
    const archive = await archiveOf("there", "lena", "portrait.zip");
    const { profile_image } = JSON.parse(archive["profile.json"] ?? "") as { profile_image: string };
    expect(archive[profile_image.slice(1)]).toContain("PNG");
    expect(archive["deleted-articles/idea.md"]).toContain("title:");
    expect(archive["articles/idea.md"]).toBeUndefined();
    expect(archive["community.ndjson"]).not.toContain('"slug":"idea"');
  });

  test("is empty of what a person has not", async () => {
    await inkstone("here", "user", "create", "--username", "nils", "--name", "Nils");
    const archive = await archiveOf("here", "nils", "nils.zip");
    expect(rows(archive["community.ndjson"])).toMatchObject([{ type: "user", username: "nils" }]);
    expect(Object.keys(archive).filter((name) => name.includes("/"))).toEqual([]);
    expect(archive["comments.ndjson"]).toBe("");
  });

  test("overwrites no file without --force, and is never half of one", async () => {
    await writeFile(at("kept.zip"), "before");
    expect(await inkstone("here", "user", "export", "lena", at("kept.zip"))).toMatchObject({
      code: 1,
      err: expect.stringContaining("exists already"),
    });
    expect(await inkstone("here", "user", "export", "nobody", at("none.zip"))).toMatchObject({
      code: 1,
      err: 'inkstone: There is no user "nobody".\n',
    });
    expect((await readdir(at("."))).filter((name) => name.startsWith("none.zip"))).toEqual([]);
  });
});
