import { hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, open, rename, rm } from "node:fs/promises";
import { readLines } from "../community-file/lines.ts";
import { AppError, invalid } from "../../platform/errors.ts";
import type { Converter } from "../../community/feed-imports/converter.ts";
import { quote } from "../../platform/text/quote.ts";
import { parseUrl } from "../../platform/text/urls.ts";
import { stringOf, withoutNothing, wordOf } from "./article-values.ts";
import { type ApiClient, type ClientOptions, createApiClient } from "./pull-client.ts";
import * as records from "./pull-records.ts";
import type { CommunityRecord } from "./reader.ts";

export interface PullOptions extends ClientOptions {
  /** Only this person's articles, or this organization's. */
  user?: string | undefined;
  to: string;
  converter: Converter;
  onProgress?: () => void;
}

interface Pulling extends PullOptions {
  client: ApiClient;
  file: PullFile;
}

/** Writes what a Forem-compatible API shows. A stopped pull continues, article by article. @throws AppError */
export async function pull(options: PullOptions) {
  const from = siteAt(options.from);
  const user = options.user?.toLowerCase();
  const client = createApiClient({ ...options, from });
  const file = await openPullFile(options.to, { from, user, drafts: options.key !== undefined });
  const pulling = { ...options, user, from, client, file };
  try {
    const list = user === undefined ? "/latest?" : `?username=${encodeURIComponent(user)}&`;
    for await (const summary of listed(client, `/api/articles${list}per_page=100`)) {
      const isNew = !file.has(`article ${stringOf(summary["slug"])}`);
      // It may have gone since the list was made.
      const article = isNew ? await client.get(`/api/articles/${Number(summary["id"])}`) : undefined;
      if (article) await pullArticle(records.fieldsOf(article.value), true, pulling);
    }
    if (options.key !== undefined) await pullDrafts(pulling);
    await pullTags(pulling);
    if (user !== undefined && file.count("article") === 0) {
      await file.remove();
      throw invalid(`${from} shows no articles of ${quote(user)}.`);
    }
    await file.finish();
    return { articles: file.count("article"), comments: file.count("comment"), users: file.count("user") };
  } finally {
    await file.close();
  }
}

function siteAt(address: string): string {
  const url = parseUrl(address);
  if (url && ["http:", "https:"].includes(url.protocol)) return url.origin;
  throw invalid(`--from must be the address of a site such as https://dev.to, not ${quote(address)}.`);
}

/** All items of a list: by its links to the next page, or else by counting pages until one is empty. */
async function* listed(client: ApiClient, path: string): AsyncGenerator<records.Fields> {
  let next: string | undefined = path;
  for (let page = 2; next !== undefined; page += 1) {
    const answer = await client.get(next);
    if (!Array.isArray(answer?.value))
      throw invalid(`The site has no API like Forem's: there is no list at ${path}.`);
    yield* records.listOf(answer.value);
    next = answer.value.length === 0 ? undefined : (answer.next ?? `${path}&page=${page}`);
  }
}

/** The drafts of the key's owner, whose list has their texts. */
async function pullDrafts(pulling: Pulling): Promise<void> {
  const { client, user, file } = pulling;
  const owner = records.usernameIn((await client.get("/api/users/me"))?.value);
  if (user !== undefined && owner !== user)
    throw invalid(`The key is that of ${owner ?? "nobody"}, so it shows no drafts of ${user}.`);
  for await (const draft of listed(client, "/api/articles/me/unpublished?per_page=30")) {
    if (!file.has(`article ${stringOf(draft["slug"])}`)) await pullArticle(draft, false, pulling);
  }
}

async function pullArticle(article: records.Fields, isPublished: boolean, pulling: Pulling): Promise<void> {
  const { client, file } = pulling;
  const record = records.articleRecord(article, isPublished);
  const { slug, author, organization } = record as { slug?: string; author?: string; organization?: string };
  if (slug === undefined || author === undefined || typeof article["body_markdown"] !== "string") return;
  const people: CommunityRecord[] = [];
  const profile = async (type: "user" | "organization", path: string, known: unknown) => {
    const found = await client.get(path);
    people.push(records.profileRecord(type, records.fieldsOf(found?.value ?? known)));
  };
  if (!file.has(`profile ${author}`))
    await profile("user", `/api/users/by_username?url=${encodeURIComponent(author)}`, article["user"]);
  if (organization !== undefined && !file.has(`organization ${organization}`))
    await profile(
      "organization",
      `/api/organizations/${encodeURIComponent(organization)}`,
      article["organization"],
    );
  const comments: CommunityRecord[] = [];
  if (Number(article["comments_count"]) > 0) {
    const known = new Set(people.map(({ username }) => username));
    for await (const { record: comment, user } of commentsOn(Number(article["id"]), slug, pulling)) {
      const name = comment["author"];
      if (name !== undefined && !known.has(name) && !file.has(`user ${stringOf(name)}`)) {
        people.push(records.profileRecord("user", user));
        known.add(name);
      }
      comments.push(comment);
    }
  }
  await file.append([...people, record, ...comments]);
  pulling.onProgress?.();
}

async function* commentsOn(id: number, slug: string, { client, converter, from }: Pulling) {
  let next: string | undefined = `/api/comments?a_id=${id}`;
  while (next !== undefined) {
    const answer = await client.get(next);
    for (const reply of records.commentsIn(answer?.value)) {
      const { body_html, user } = reply.comment;
      const markdown = await markdownOf(stringOf(body_html) ?? "", { converter, from });
      yield { record: records.commentRecord(reply, slug, markdown), user: records.fieldsOf(user) };
    }
    next = answer?.next;
  }
}

/** Comments are there as HTML alone. One that can't be converted keeps its place without its text. */
async function markdownOf(html: string, { converter, from }: Pick<Pulling, "converter" | "from">) {
  if (html === "") return "";
  try {
    return (await converter.convert({ html, base: from })).markdown;
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid") return "";
    throw error;
  }
}

/** The colours of the tags that articles have, as far as they are among the most used ones of the site. */
async function pullTags({ client, file }: Pulling): Promise<void> {
  const answer = await client.get("/api/tags?per_page=1000");
  const tags = records.listOf(answer?.value).filter(({ name }) => file.has(`used ${stringOf(name)}`));
  await file.append(
    tags.map(({ name, id, bg_color_hex, text_color_hex }) =>
      withoutNothing({ type: "tag", name, id, bg_color_hex, text_color_hex }),
    ),
  );
}

/** The file has names and texts of people, and maybe drafts. */
const OWNER_ONLY = 0o600;

/** A community file that grows over several runs. After a kill all but the last article is whole. */
async function openPullFile(file: string, source: unknown) {
  if (await lstat(file).catch(() => undefined)) throw invalid(`${file} exists already: name another file.`);
  const part = `${file}.${hash("sha256", JSON.stringify(source)).slice(0, 8)}.part`;
  const handle = await open(part, "a", OWNER_ONLY);
  const done = new Set<string>();
  await handle.truncate(await readWhole(part, done));
  return {
    has: (thing: string) => done.has(thing),
    count: (kind: string) => [...done].filter((thing) => thing.startsWith(`${kind} `)).length,
    async append(records: readonly CommunityRecord[]): Promise<void> {
      await handle.appendFile(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
      for (const thing of records.flatMap(thingsOf)) done.add(thing);
    },
    async finish(): Promise<void> {
      await handle.sync();
      await rename(part, file);
    },
    remove: () => rm(part),
    close: () => handle.close(),
  };
}

type PullFile = Awaited<ReturnType<typeof openPullFile>>;

/** Notes all things before the last article, and returns their length. */
async function readWhole(part: string, done: Set<string>): Promise<number> {
  let [at, whole] = [0, 0];
  let last: string[] = [];
  for await (const line of readLines(createReadStream(part))) {
    if ("fault" in line) break;
    const record = recordIn(line.bytes);
    if (!record) break;
    if (record.type === "article") {
      for (const thing of last) done.add(thing);
      [whole, last] = [at, []];
    }
    last.push(...thingsOf(record));
    at += line.bytes.length + 1;
  }
  return whole;
}

function recordIn(line: Buffer): CommunityRecord | undefined {
  try {
    return JSON.parse(line.toString()) as CommunityRecord;
  } catch {
    return undefined;
  }
}

/** Whatever need not be asked for again. A person in a comment has no date, and none of their profile. */
function thingsOf({ type, ...record }: CommunityRecord): string[] {
  const name = wordOf(record["slug"] ?? record["username"] ?? record["id_code"] ?? record["name"]);
  const tags = type === "article" ? (record["tags"] as string[]) : [];
  const profile = type === "user" && record["created_at"] ? [`profile ${name}`] : [];
  return [`${type} ${name}`, ...tags.map((tag) => `used ${tag}`), ...profile];
}
