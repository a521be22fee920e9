import { mkdir, readdir, writeFile } from "node:fs/promises";
import { operator } from "../../http/actor.ts";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { pngOf } from "../../../test/pictures.ts";
import { commandsForAll } from "../../../test/commands.ts";
import { BASE_URL, CONFIG, createServices, send } from "../../../test/world.ts";
import { buildApp } from "../../app.ts";
import { createFiles } from "../../platform/files/files.ts";
import * as users from "../../community/users/users.ts";

const site = commandsForAll();
const { inkstone } = site;

beforeAll(async () => {
  const { db } = site.database;
  await users.create(operator(db), { username: "lena", name: "Lena Ortiz" });
  await users.create(operator(db), { username: "noor", name: "Noor", email: "noor@example.org" });
  const jpeg = sharp({ create: { width: 800, height: 600, channels: 3, background: "#c81e3c" } }).jpeg();
  await writeFile(join(site.folder, "portrait.jpg"), await jpeg.toBuffer());
  await writeFile(join(site.folder, "logo.png"), pngOf(20, 20));
  await writeFile(join(site.folder, "page.html"), "<!doctype html><script>alert(1)</script>");
  await writeFile(join(site.folder, "huge.jpg"), Buffer.alloc(11 * 1024 * 1024));
  await writeFile(join(site.folder, "bomb.png"), pngOf(14_000, 14_000));
  await mkdir(join(site.folder, "folder"));
});

const folder = () => join(site.folder, "data", "files");

const stored = async () =>
  (await readdir(folder(), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((one) => one.isFile())
    .map(({ name }) => name);

async function pictureOf(username: string) {
  const { db } = site.database;
  const people = db.selectFrom("users").select("profile_image");
  return (await people.where("username", "=", username).executeTakeFirst())?.profile_image;
}

/** Asks a server of this database and these files. */
async function asking<T>(work: (get: (url: string) => ReturnType<typeof send>) => Promise<T>): Promise<T> {
  const { db } = site.database;
  const services = createServices(db);
  const context = {
    config: CONFIG,
    db: { main: db, replica: db, shared: db, slow: db, jobs: db },
    files: createFiles(folder()),
    now: () => new Date(),
  };
  const app = await buildApp(context, services);
  try {
    return await work((url) => send(app, { url }));
  } finally {
    await app.close();
    services.images.close();
  }
}

describe("inkstone user edit", () => {
  test("gives a person a picture, which the API shows in every size", async () => {
    const { code, out, err } = await inkstone(["user", "edit", "LENA", "--profile-image", "portrait.jpg"]);
    expect({ code, out, err }).toEqual({ code: 0, out: "Changed lena.\n", err: "" });
    expect((await stored()).length).toBe(4);
    await asking(async (get) => {
      const { body } = await get("/api/users/by_username?url=lena");
      const { profile_image } = body as { profile_image: string };
      expect(profile_image).toMatch(new RegExp(`^${BASE_URL}/uploads/[0-9a-f]{32}-320\\.jpg$`));
      for (const side of [640, 320, 90, 60]) {
        const path = profile_image.slice(BASE_URL.length).replace("-320", `-${side}`);
        const answer = await get(path);
        expect(answer).toMatchObject({ status: 200, headers: { "content-type": "image/jpeg" } });
        expect(answer.headers["cache-control"]).toContain("immutable");
        const file = await createFiles(folder()).get(path.slice(1));
        if (file === undefined) throw new Error(`${path} isn't there`);
        expect(await sharp(await buffer(file.stream)).metadata()).toMatchObject({
          width: side,
          height: side,
        });
      }
    });
  });

  test("puts another picture in place of it, whose files go", async () => {
    const before = await stored();
    expect((await inkstone(["user", "edit", "lena", "--profile-image", "logo.png", "--json"])).code).toBe(0);
    const after = await stored();
    expect(after.filter((name) => name.endsWith(".png")).length).toBe(4);
    expect(after.filter((name) => before.includes(name))).toEqual([]);
  });

  test.each([
    ["page.html", "inkstone: Image isn't of a known format: send a JPEG, PNG, GIF, WebP or AVIF image.\n"],
    ["nothing.png", "inkstone: nothing.png can't be used: there is no such file.\n"],
  ])("refuses %s in one line, and changes nothing else either", async (file, sentence) => {
    const before = [await stored(), await pictureOf("lena")];
    const outcome = await inkstone(["user", "edit", "lena", "--name", "Other", "--profile-image", file]);
    expect(outcome).toEqual({ code: 1, out: "", err: sentence });
    expect([await stored(), await pictureOf("lena")]).toEqual(before);
    expect((await users.namesByUsername(site.database.db, ["lena"])).get("lena")?.name).toBe("Lena Ortiz");
  });

  test("keeps the old picture when something else is refused", async () => {
    const before = [await stored(), await pictureOf("lena")];
    const args = ["user", "edit", "lena", "--profile-image", "portrait.jpg", "--email", "noor@example.org"];
    expect(await inkstone(args)).toEqual({
      code: 1,
      out: "",
      err: "inkstone: Email has already been taken.\n",
    });
    expect([await stored(), await pictureOf("lena")]).toEqual(before);
  });

  test("goes back to the first picture", async () => {
    expect((await inkstone(["user", "edit", "lena", "--remove-profile-image"])).out).toBe("Changed lena.\n");
    expect(await pictureOf("lena")).toBe(null);
    expect(await stored()).toEqual([]);
    const again = await inkstone(["user", "edit", "lena", "--remove-profile-image"]);
    expect(again.out).toBe("lena is already like that.\n");
  });

  test("takes a picture or takes it away, not both", async () => {
    const both = ["user", "edit", "lena", "--remove-profile-image", "--profile-image", "logo.png"];
    expect((await inkstone(both)).code).toBe(2);
  });

  test("changes a profile, with an event", async () => {
    const { db } = site.database;
    const edit = (...args: string[]) => inkstone(["user", "edit", "noor", ...args]);
    const given = ["--name", "Noor Haddad", "--summary", "Weaver", "--website-url", "https://noor.example"];
    const edited = await edit(...given, "--email", "", "--json");
    expect(JSON.parse(edited.out)).toEqual({ id: 2, username: "noor", changed: true });
    const row = db.selectFrom("users").selectAll().where("username", "=", "noor");
    expect(await row.executeTakeFirst()).toMatchObject({
      name: "Noor Haddad",
      summary: "Weaver",
      website_url: "https://noor.example",
      email: null,
    });
    const events = db.selectFrom("events").select("payload").where("type", "=", "user_updated");
    expect(await events.execute()).toContainEqual({ payload: { user_id: 2 } });
    expect((await edit(...given)).out).toBe("noor is already like that.\n");
  });

  test.each([
    [
      "noor",
      "--website-url",
      "javascript:alert(1)",
      /^inkstone: website_url must be a full http or https address/,
    ],
    ["nobody", "--name", "X", /^inkstone: There is no user "nobody"\.\n$/],
  ])("refuses, for %s, %s", async (username, option, value, sentence) => {
    const { code, err } = await inkstone(["user", "edit", username, option, value]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(sentence) });
  });
});

test("an export names a picture that is kept here, and an import of it changes nothing", async () => {
  await inkstone(["user", "edit", "lena", "--profile-image", "portrait.jpg"]);
  const picture = await pictureOf("lena");
  const exported = await inkstone(["export"]);
  expect(exported.out).toContain(`"profile_image":"${picture}"`);
  const imported = await inkstone(["import", "-", "--json"], { input: exported.out });
  expect(JSON.parse(imported.out)).toMatchObject({ created: 0, updated: 0 });
  expect(await pictureOf("lena")).toBe(picture);
  expect((await stored()).length).toBe(4);
});

test("a picture that comes with the demo is exported and imported by its path, and no other path is", async () => {
  const user = (profile_image: string) =>
    JSON.stringify({ type: "user", username: "olga", name: "Olga", profile_image });
  const olga = user("/assets/demo/mara_lindqvist.webp");
  expect(await inkstone(["import", "-"], { input: olga })).toMatchObject({ code: 0 });
  expect((await inkstone(["export"])).out).toContain('"profile_image":"/assets/demo/mara_lindqvist.webp"');
  for (const path of ["/assets/demo/nobody.webp", "/assets/demo/bread.webp", "/assets/social.png"]) {
    const { code, err } = await inkstone(["import", "-"], { input: user(path) });
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("profile_image must be") });
  }
});
