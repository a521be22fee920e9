import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { sql } from "kysely";
import * as figures from "../src/community/analytics/roll-up.ts";
import { importFile } from "../src/operate/community-file/import.ts";
import type { Db } from "../src/platform/db/connect.ts";
import { replace } from "../src/content/images/profile-picture.ts";
import { chunk } from "../src/content/images/tiles.ts";
import * as organizations from "../src/community/organizations/organizations.ts";
import { operator } from "../src/http/actor.ts";
import * as notifications from "../src/community/notifications/notifications.ts";
import * as vocabulary from "../src/search/vocabulary.ts";
import { fanOut } from "../src/community/webhooks/queue.ts";
import { comments, follows, reactions } from "./actors.ts";
import { at, NEVER_STORED, RECORDS, say, USERNAME, WORD } from "./canary-records.ts";
import { form, pngOf, uploading } from "./pictures.ts";
import { BASE_URL, type World } from "./world.ts";

/** Fills everything that a person can fill, by an import and by requests. */
export async function fill(
  world: World,
): Promise<{ bob: { id: number }; canary: { id: number }; byBob: { id: number } }> {
  const lines = RECORDS.map((record) => `${JSON.stringify(record)}\n`);
  await importFile(world.db, Readable.from(lines.map((line) => Buffer.from(line))), {
    now: world.context.now(),
    renderPool: world.services.renderPool,
  });
  const idOf = (table: "users" | "articles", column: string, value: string) =>
    world.db.selectFrom(table).select("id").where(sql.ref(column), "=", value).executeTakeFirstOrThrow();
  const bob = await idOf("users", "username", "bob");
  const canary = await idOf("users", "username", USERNAME);
  const byBob = await idOf("articles", "slug", "by-bob");
  await act(world, { bob, canary, byBob });
  await read(world);
  return { bob, canary, byBob };
}

interface Cast {
  bob: { id: number };
  canary: { id: number };
  byBob: { id: number };
}

async function act(world: World, { bob, canary, byBob }: Cast): Promise<void> {
  const now = world.context.now();
  const key = await world.key(canary);
  const write = async (by: string, method: string, url: string, body: object, idempotencyKey: string) => {
    const headers = { "idempotency-key": idempotencyKey };
    const reply = await world.request({ method, url, key: by, headers, body });
    if (reply.status > 299) throw new Error(reply.text);
    return reply.body as { id: number };
  };
  const article = {
    title: say("apititle"),
    body_markdown: say("apibody"),
    tags: [say("apitag")],
    published: true,
  };
  const { id } = await write(key, "POST", "/api/articles", { article }, say("idempotent"));
  // An admin's response shows the article and its author.
  await write(
    await world.key(bob),
    "PUT",
    `/api/articles/${id}`,
    { article: { description: say("edited") } },
    "bobs",
  );
  const doomed = await write(
    key,
    "POST",
    "/api/articles",
    { article: { ...article, title: say("doomed") } },
    "b",
  );
  await world.request({ method: "DELETE", url: `/api/articles/${doomed.id}`, key });
  const endpoint = { source: say("apisource"), target_url: at("apitarget"), events: ["article_created"] };
  const { id: endpointId } = await write(key, "POST", "/api/webhooks", { webhook_endpoint: endpoint }, "c");
  await world.request({ method: "POST", url: `/api/webhooks/${endpointId}/rotate_secret`, key });
  await world.request({ method: "POST", url: `/api/webhooks/${endpointId}/ping`, key });
  const text = chunk("tEXt", Buffer.from(`Author\0${say("metadata")}`));
  const disposition = `name="image"; filename="${say("filename")}.png"`;
  await uploading(world, key).upload(form(pngOf(30, 20, [text]), disposition));
  const body = { markdown: say("said"), html: `<p>${say("said")}</p>` };
  await comments.write(world.db, { target: { article_id: byBob.id }, writer: canary, body }, { now });
  await follows.follow(world.db, { followerId: canary.id, target: { userId: bob.id } }, { now });
  await reactions.react(
    world.db,
    { userId: canary.id, target: { articleId: byBob.id }, category: "like" },
    { now },
  );
  await notifications.fanOut(world.db, now);
  await fanOut(world.db, { baseUrl: BASE_URL, now: () => now });
  // A receiver that answers with what it was sent.
  await sql`update webhook_deliveries set response_beginning = left(payload, 4000)`.execute(world.db);
}

/** What browsers send of the person, and what is drawn when one reads. */
async function read(world: World): Promise<void> {
  const headers = {
    "user-agent": `Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0 ${say("browser")}`,
    referer: `https://elsewhere.example/${say("path")}`,
    accept: "text/html",
  };
  await world.get("/guild/by-bob", { headers });
  await world.services.views.write(world.db, () => {});
  const { body } = await world.get(`/api/articles?username=${USERNAME}`);
  for (const { social_image } of body as { social_image: string }[])
    if (social_image.startsWith(BASE_URL)) await world.get(social_image.slice(BASE_URL.length));
  await vocabulary.addUpChanges(world.db);
  await figures.addUpChanges(world.db);
}

/** As PostgreSQL prints bytes. */
const HEXADECIMAL = Buffer.from("zcanary").toString("hex");

/** A picture on the disk, for commands. */
/** Gives an organization a picture. */
export async function giveLogo({ db, context, services }: World, username: string): Promise<void> {
  const id = await organizations.find(db, username);
  await replace({ db, files: context.files, images: services.images }, pngOf(700, 700), (picture) =>
    organizations.edit(operator(db, context.now), { id, change: {}, picture }),
  );
}

/** The words in the rows of all tables, each with the tables that have it, and other texts that are looked for. */
export async function wordsIn(db: Db, others: readonly string[] = []): Promise<Map<string, string[]>> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select nspname as schema, relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname !~ '^(pg_|information_schema$)'`.execute(db);
  const found = new Map<string, string[]>();
  for (const { schema, name } of tables) {
    const looked = [say("").slice(0, -1), HEXADECIMAL, ...others].map((text) => `%${text}%`);
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(each)::text as row from ${sql.table(`${schema}.${name}`)} as each
      where to_jsonb(each)::text ilike any(${looked}::text[])`.execute(db);
    for (const { row } of rows) {
      const words = row.match(WORD) ?? [];
      const hidden = [HEXADECIMAL, ...others].filter((text) =>
        row.toLowerCase().includes(text.toLowerCase()),
      );
      for (const word of new Set([...words.map((one) => one.toLowerCase()), ...hidden]))
        found.set(word, [...new Set([...(found.get(word) ?? []), `${schema}.${name}`])]);
    }
  }
  return found;
}

/** The files of the store, with the words in them. */
export async function filesIn(world: World): Promise<{ name: string; words: string[] }[]> {
  const root = join(world.context.config.dataDir, "files");
  const all = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = all.filter((one) => one.isFile());
  return Promise.all(
    files.map(async (file) => ({
      name: file.name,
      words: (await readFile(join(file.parentPath, file.name))).toString("latin1").match(WORD) ?? [],
    })),
  );
}

/** All words that the person has said. */
export function allSaid(): string[] {
  const written = JSON.stringify(RECORDS).match(WORD) ?? [];
  const sent = [
    "apititle",
    "apibody",
    "apitag",
    "idempotent",
    "edited",
    "doomed",
    "apisource",
    "apitarget",
    "said",
  ];
  return [...new Set([...written, ...sent.map(say), ...NEVER_STORED])];
}
