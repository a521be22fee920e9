import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { checkFiles } from "../../operate/health/checks.ts";
import { form, pngOf, uploading } from "../../../test/pictures.ts";
import { EXPORTED, WITHOUT_UPLOADS } from "../../../test/records.ts";
import { worldForAll } from "../../../test/world.ts";
import { removeAll } from "../users/users.ts";
import * as uploadedFiles from "./files.ts";
import { SHOWING } from "./queries.ts";

let upload: ReturnType<typeof uploading>["upload"];
let files: ReturnType<typeof uploading>["files"];
let key: string;
const world = worldForAll();
beforeAll(async () => {
  key = await world.key(await world.user());
  ({ upload, files } = uploading(world, key));
});

const HOUR_MS = 3_600_000;

const name = (letter: string, ending = ".png") => letter.repeat(32) + ending;
const put = (file: string) => world.context.files.put(`uploads/${file}`, pngOf(2, 2));
const sweep = (hours: number) =>
  uploadedFiles.sweep(world.db, world.context.files, new Date(Date.now() + hours * HOUR_MS));
const doctor = () => checkFiles(world.db, world.context.config);

/** Makes a file look as if it had been there for two days. */
async function age(file: string): Promise<void> {
  const then = new Date(Date.now() - 48 * HOUR_MS);
  await utimes(join(world.context.config.dataDir, "files/uploads", file.slice(0, 2), file), then, then);
}

async function uploaded(owner = key): Promise<string> {
  const { body } = await upload(form(pngOf(4, 4)), { key: owner });
  return (body as { links: string[] }).links[0]?.split("/").at(-1) ?? "";
}

test("an upload, a picture of a person and an image that a text shows stay, however old they are", async () => {
  const author = await world.user({ profile_image: `/uploads/${name("a")}` });
  await world.organization({ profile_image: `https://ink.example/uploads/${name("b", "-640.png")}` });
  const sizes = ["-640.png", "-320.png", "-90.png", "-60.png"].map((ending) => name("a", ending));
  const shown = [name("b", "-640.png"), name("c"), name("d"), name("9")];
  await Promise.all([...sizes, ...shown].map(put));
  await world.article(author, {
    body_markdown: `![A loom](https://ink.example/uploads/${name("c")}) and text`,
  });
  await world.article(author, { published: false, body_markdown: `![](/uploads/${name("d")})` });
  await world.article(author, { main_image: `https://ink.example/uploads/${name("9")}` });
  const own = await uploaded();
  expect(await sweep(48)).toBe(0);
  expect((await files()).toSorted()).toEqual([...sizes, ...shown, own].toSorted());
  expect(await doctor()).toEqual({ result: "ok", message: "Every image has its file." });
});

test("what only a film, a profile or a tag shows stays too", async () => {
  const shown = ["1", "2", "3", "4", "5"].map((letter) => name(letter));
  await Promise.all(shown.map(put));
  const addresses = shown.map((file) => `https://ink.example/uploads/${file}`);
  const article = await world.article(await world.user({ summary: `I wove ${addresses[0]}` }));
  await world.db
    .updateTable("articles")
    .set({ video_source_url: addresses[1], video_thumbnail_url: addresses[2] })
    .where("id", "=", article.id)
    .execute();
  await world.organization({ story: `![Our loom](${addresses[3]})` });
  await world.tag({ name: "looms", short_summary: `See ${addresses[4]}` });
  expect(await sweep(48)).toBe(0);
  expect(await files()).toEqual(expect.arrayContaining(shown));
});

test("what only a comment, a listing, a podcast or an episode shows stays too", async () => {
  const shown = ["81", "82", "83", "84", "85", "86"].map((pair) => `${pair.repeat(16)}.png`);
  await Promise.all(shown.map(put));
  const addresses = shown.map((file) => `https://ink.example/uploads/${file}`);
  const author = await world.user();
  await world.article(author, { slug: "looms-1a" });
  await world.comment(author, { article: "looms-1a", body_markdown: `![](${addresses[0]})` });
  await world.listing(author, { body_markdown: `[My loom](${addresses[1]})`, published: false });
  await world.podcast({ slug: "loom-radio", image_url: addresses[2], description: `See ${addresses[3]}` });
  await world.episode("loom-radio", { image_url: addresses[4], summary: `<img src="${addresses[5]}">` });
  expect(await sweep(48)).toBe(0);
  expect(await files()).toEqual(expect.arrayContaining(shown));
});

test("what an article shows is found among more articles than are read at once", async () => {
  const author = await world.user();
  await put(name("6"));
  await put(name("7"));
  const address = (file: string) => `https://ink.example/uploads/${file}`;
  const article = await world.article(author, { main_image: address(name("6")) });
  await sql`
    insert into articles (author_id, slug, title, description, body_markdown, body_html, renderer_version, state)
    select author_id, 'copy-' || n, title, '', ${`x`}, '', 1, 'draft'
    from articles, generate_series(1, 2100) as n where id = ${article.id}`.execute(world.db);
  await world.article(author, { body_markdown: `![](${address(name("7"))})` });
  expect(await sweep(48)).toBe(0);
  expect(await files()).toEqual(expect.arrayContaining([name("6"), name("7")]));
});

test("an unowned file goes when it is older than a day, and other programs' files stay", async () => {
  await put(name("f"));
  const stray = join(world.context.config.dataDir, "files/uploads/ff");
  await mkdir(stray, { recursive: true });
  await writeFile(join(stray, "notes.txt"), "mine");
  await writeFile(join(stray, "..", "README"), "mine");
  const before = await files();
  expect(await sweep(23)).toBe(0);
  await age(name("f"));
  expect(await doctor()).toEqual({
    result: "warn",
    message: `There is 1 file in ${world.context.config.dataDir}/files that nothing uses (uploads/${name("f")}): a server removes them at night.`,
  });
  expect(await sweep(0)).toBe(1);
  expect(await files()).toEqual(before.filter((each) => each !== name("f")));
});

test("the images of a removed person go too", async () => {
  const guest = await world.user();
  const file = await uploaded(await world.key(guest));
  await world.db.transaction().execute((tx) => removeAll(tx, [guest.id]));
  expect(await sweep(48)).toBe(1);
  expect(await files()).not.toContain(file);
});

test("a row without its file is named", async () => {
  const file = await uploaded();
  await world.context.files.remove(`uploads/${file}`);
  await world.context.files.remove(`uploads/${name("a", "-90.png")}`);
  const logo = `${"95".repeat(16)}.png`;
  await sql`
    insert into settings (key, value) values ('logo_url', to_jsonb(${`/uploads/${logo}`}::text))`.execute(
    world.db,
  );
  const { result, message } = await doctor();
  expect(result).toBe("fail");
  expect(message).toContain("3 files of images are not in ");
  // As they lie on the disk.
  expect(message).toContain(`uploads/${file.slice(0, 2)}/${file}`);
  expect(message).toContain(`uploads/aa/${name("a", "-90.png")}`);
  expect(message).toContain(`uploads/95/${logo}`);
});

test("a database that knows few of the files has none of them removed", async () => {
  const names = Array.from({ length: 101 }, (_, index) => `${index.toString(16).padStart(32, "0")}.png`);
  await Promise.all(names.map(put));
  expect(await sweep(48)).toBe(0);
  expect(await files()).toEqual(expect.arrayContaining(names));
});

test("the sweep looks through every table that people write in, or there is a reason why not", () => {
  expect([...SHOWING, ...Object.keys(WITHOUT_UPLOADS)].toSorted()).toEqual(Object.keys(EXPORTED).toSorted());
});
