import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import { articleRecords, recordsOf } from "../../community/articles/records.ts";
import { retiredPathRecords } from "../../community/articles/retired-paths.ts";
import { idCode } from "../../community/comments/id-codes.ts";
import { canonical } from "../community-file/export.ts";
import type { Db } from "../../platform/db/connect.ts";
import type { Files } from "../../platform/files/files.ts";
import { addressOf, ownFiles } from "../../content/images/profile-picture.ts";
import { COMMUNITY_FILE, ownPart } from "../importers/inkstone.ts";
import { uploadPath } from "../../platform/paths.ts";
import { parseFrontMatter } from "../../content/text/front-matter.ts";
import * as uploads from "../../community/uploads/uploads.ts";
import { userRecords } from "../../community/users/records.ts";
import * as queries from "./queries.ts";

export interface Site {
  db: Db;
  files: Files;
  baseUrl: string;
}

export interface Contents {
  articles: number;
  pictures: number;
}

const README = `This archive has everything that the community holds of one person.

profile.json           the account
articles/              each article as Markdown, with its attributes at the top
deleted-articles/      the same of articles that were deleted less than 30 days ago
uploads/               the pictures, and the picture of the profile
*.ndjson               one thing a line, as JSON: comments, reactions, the reading list, follows, listings and others;
                       API keys and webhook endpoints without their secrets
${COMMUNITY_FILE}       the person, the articles and their old addresses, for another community of the same program:
                       \`inkstone import\` reads this archive as it is
`;

/** Writes a zip archive of all that the site has of a person, as of this moment. The sink stays open. */
export async function writeArchive(site: Site, userId: number, sink: Writable): Promise<Contents> {
  const snapshot = site.db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  return snapshot.execute(async (tx) => {
    const zip = new ZipFile();
    const output = zip.outputStream as Readable;
    zip.on("error", (error: Error) => output.destroy(error));
    const contents = await addAll(zip, { ...site, db: tx }, userId);
    zip.end();
    await pipeline(output, sink, { end: false });
    return contents;
  });
}

async function addAll(zip: ZipFile, { db, files, baseUrl }: Site, userId: number): Promise<Contents> {
  const add = (name: string, content: () => AsyncGenerator<string | Buffer>, options = {}) =>
    zip.addReadStreamLazy(name, options, (done) => {
      const part = Readable.from(content(), { objectMode: false });
      // Otherwise a reader who goes away, or a failing database, would end the process.
      part.on("error", (error) => zip.emit("error", error));
      done(null, part);
    });
  const {
    password_hash: _,
    staff_note: __,
    stored_picture,
    ...person
  } = await queries.findPerson(db, userId);
  const picture = { kind: "user", id: userId, profile_image: stored_picture } as const;
  // Another site fetches the picture from here, as any other.
  const profile_image = stored_picture?.startsWith("/")
    ? addressOf(picture, 640, baseUrl)
    : person.profile_image;

  zip.addBuffer(Buffer.from(README), "README.txt");
  zip.addBuffer(Buffer.from(`${JSON.stringify(person, null, 2)}\n`), "profile.json");
  const record = { ...person, profile_image };
  add(COMMUNITY_FILE, () => communityLines(db, record));
  const articles = await queries.articles(db, userId);
  for (const { id, slug, state } of articles)
    add(`${state === "deleted" ? "deleted-articles" : "articles"}/${slug}.md`, () => markdown(db, id));
  for (const list of queries.LIST_NAMES) add(`${list}.ndjson`, () => lines(queries.listed(db, list, userId)));
  const pictures = await queries.uploads(db, userId);
  // They are compressed already.
  for (const { name } of pictures)
    add(uploadPath(name).slice(1), () => pictureOf(files, uploads.fileOf(name)), { compress: false });
  const [portrait] = ownFiles(stored_picture);
  if (stored_picture !== null && portrait !== undefined)
    add(stored_picture.slice(1), () => pictureOf(files, portrait), { compress: false });
  return {
    articles: articles.length,
    pictures: pictures.length + (portrait === undefined ? 0 : 1),
  };
}

/** Empty for a picture whose file is lost. */
async function* pictureOf(files: Files, path: string): AsyncGenerator<Buffer> {
  const file = await files.get(path);
  if (file) for await (const chunk of file.stream) yield chunk as Buffer;
}

const lineOf = (record: Parameters<typeof ownPart>[0]) => `${JSON.stringify(ownPart(record))}\n`;

async function* communityLines(db: Db, person: object & { id: number }): AsyncGenerator<string> {
  yield lineOf(canonical(userRecords, person));
  for await (const row of recordsOf(db, person.id)) yield lineOf(canonical(articleRecords, row));
  for (const row of await queries.retiredPaths(db, person.id))
    yield lineOf(canonical(retiredPathRecords, row));
}

/** A body with front matter of its own stays as it is. */
async function* markdown(db: Db, id: number): AsyncGenerator<string> {
  const { body_markdown, ...row } = await queries.article(db, id);
  if (!parseFrontMatter(body_markdown).hasBlock) yield frontMatter(row);
  yield body_markdown;
}

/** Texts of JSON are texts of YAML. */
function frontMatter(row: Omit<Awaited<ReturnType<typeof queries.article>>, "body_markdown">): string {
  const isOut = row.state === "published" || row.state === "scheduled";
  const attributes = {
    title: row.title,
    published: isOut,
    published_at: row.published_at?.toISOString(),
    description: row.description,
    tags: row.tag_list.join(", "),
    series: row.series,
    canonical_url: row.canonical_url,
    cover_image: row.main_image,
  };
  const given = Object.entries(attributes).filter(
    ([, value]) => value !== undefined && value !== null && value !== "",
  );
  return `---\n${given.map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`).join("")}---\n\n`;
}

async function* lines(rows: AsyncIterable<Record<string, unknown>>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row, withCodes)}\n`;
}

const withCodes = (key: string, value: unknown): unknown =>
  (key === "comment" || key === "parent") && typeof value === "number" ? idCode(value) : value;
