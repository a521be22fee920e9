import {
  type Origin,
  originsOf,
  ownersOfPaths,
  retiredPath,
} from "../../community/articles/retired-paths.ts";
import type { Db } from "../../platform/db/connect.ts";
import { titleOf } from "../../community/feed-imports/attributes.ts";
import type { Converter } from "../../community/feed-imports/converter.ts";
import type { Converted } from "../../community/feed-imports/to-markdown.ts";
import { pathUnder } from "../../platform/paths.ts";
import { quote } from "../../platform/text/quote.ts";
import { derivedSlug, isValidSlug } from "../../content/text/slug.ts";
import { tagsOfNames } from "../../platform/text/tags.ts";
import { momentOf, publicationOf, withoutNothing, wordOf } from "./article-values.ts";
import { findPeople } from "./people.ts";
import {
  type CommunityRecord,
  failed,
  type ForeignArticle,
  type ForeignComment,
  type Found,
  lastPart,
  type LeftOut,
  nameOf,
  slugsIn,
  type Stranger,
  textOf,
  type Waiting,
} from "./reader.ts";

const NEW_SLUG = "a slug is a reserved word or number here, or belongs to another article: a new one is made";

const nothing = (): Record<"users" | "articles" | "comments", CommunityRecord[]> => ({
  users: [],
  articles: [],
  comments: [],
});

interface Place {
  author: string;
  slug: string;
}

/** What places an article. */
interface Own {
  key: string;
  wish: string;
  title: string;
  created_at: string | undefined;
}

interface Options {
  db: Db;
  converter: Converter;
  author?: string | undefined;
  now: Date;
}

/** Each import of a file makes the same records, but none for articles that are here already. */
export class Records {
  here = 0;
  readonly leftOut: LeftOut[] = [];
  readonly remarks = new Map<string, number>();
  readonly #options: Options;
  readonly #people;
  readonly #places = new Map<string, Place>();
  readonly #slugs = new Set<string>();
  /** The refs of the comments on the last article, by those of the reader. */
  readonly #refs = new Map<string, string>();
  #comments = 0;
  #origins = new Map<string, Origin>();
  #made = nothing();
  #paths: { path: string; article: string }[] = [];

  constructor(options: Options) {
    this.#options = options;
    this.#people = findPeople(options.db, options.author);
  }

  prepare(found: Found): Waiting {
    const thing = "article" in found ? found.article : "comment" in found ? found.comment : undefined;
    if (thing === undefined) return { found };
    const { converter } = this.#options;
    const html = "excerpt" in thing ? thing.excerpt : undefined;
    const excerpt = html === undefined ? {} : { excerpt: textOf({ html }, converter) };
    return { found, body: textOf(thing.body, converter), ...excerpt };
  }

  /** The records of these things: those of one type together, and each behind those that it refers to. */
  async make(things: readonly Waiting[]): Promise<CommunityRecord[]> {
    const { db } = this.#options;
    this.#origins = await originsOf(db, things.flatMap(({ found }) => slugsIn(found)).filter(isValidSlug));
    this.#made = nothing();
    this.#paths = [];
    for (const thing of things)
      await this.#add(thing).catch((error: unknown) => this.leftOut.push(failed(nameOf(thing.found), error)));
    const paths = await this.#freePaths();
    return [...this.#made.users, ...this.#made.articles, ...paths, ...this.#made.comments];
  }

  async #add({ found, ...texts }: Waiting): Promise<void> {
    if ("leftOut" in found) this.leftOut.push(found.leftOut);
    else if ("remark" in found) this.#remark(found.remark);
    else if ("record" in found) await this.#addOwn(found.record, found.author);
    else if ("person" in found) await this.#usernameOf(found.person);
    else if ("path" in found) this.#addPath(found.path, this.#places.get(found.of));
    else if ("comment" in found) await this.#addComment(found.comment, (await texts.body) as Converted);
    else await this.#addArticle(found.article, (await texts.body) as Converted, await texts.excerpt);
  }

  async #addArticle(given: ForeignArticle, body: Converted, excerpt?: Converted): Promise<void> {
    this.#refs.clear();
    const title = titleOf(given.title ?? "") || titleOf(body.text);
    if (title === "") {
      this.leftOut.push({ type: "article", name: given.key, reason: "it has neither a title nor a text" });
      return;
    }
    const { now } = this.#options;
    const created_at = momentOf(given.created_at, now);
    const place = await this.#place(given.author, { key: given.key, wish: given.slug, title, created_at });
    if (place === undefined) return;
    for (const remark of body.remarks) this.#remark(remark);
    const { remark, ...publication } = publicationOf({ ...given, created_at }, now);
    if (remark !== undefined) this.#remark(remark);
    const { tags, others } = tagsOfNames(given.tags);
    for (const { name, reason } of others)
      this.#remark(`the category or tag ${quote(name)} is left out: ${reason}`);
    const edited_at = momentOf(given.edited_at, now) ?? "";
    const record = {
      type: "article",
      ...place,
      title,
      body_markdown: body.markdown,
      description: excerpt?.text,
      tags,
      created_at,
      ...publication,
      edited_at: edited_at > (publication.published_at ?? "9999") ? edited_at : undefined,
      crossposted_at: momentOf(given.crossposted_at, now),
      ...given.attributes,
    };
    this.#made.articles.push(withoutNothing(record));
    if (given.address !== undefined && publication.published) this.#addPath(given.address, place);
  }

  async #addOwn(record: CommunityRecord, author: Stranger): Promise<void> {
    const [key, title] = [wordOf(record["slug"]), wordOf(record["title"])];
    const created_at = momentOf(record["created_at"], this.#options.now);
    const place = await this.#place(author, { key, wish: key, title, created_at });
    if (place !== undefined) this.#made.articles.push({ ...record, ...place });
  }

  async #addComment({ article, ...given }: ForeignComment, body: Converted): Promise<void> {
    const end = lastPart(article);
    const slug =
      this.#places.get(article)?.slug ?? (this.#origins.get(end)?.state === "published" ? end : undefined);
    const { deleted } = given.attributes ?? {};
    if (slug === undefined) {
      const reason = `there is no article ${article} in the file or on this site`;
      this.leftOut.push({ type: "comment", name: given.ref ?? "", reason });
      return;
    }
    if (body.markdown.trim() === "" && deleted !== true)
      return this.#remark("a comment without a text is left out");
    for (const remark of body.remarks) this.#remark(remark);
    const { now } = this.#options;
    const ref = given.ref && `comment ${(this.#comments += 1)}`;
    if (given.ref && ref) this.#refs.set(given.ref, ref);
    const record = {
      type: "comment",
      ref,
      parent: this.#refs.get(given.parent ?? ""),
      article: slug,
      author: await this.#usernameOf(given.author),
      body_markdown: body.markdown,
      created_at: momentOf(given.created_at, now),
      edited_at: momentOf(given.edited_at, now),
      ...given.attributes,
    };
    this.#made.comments.push(withoutNothing(record));
  }

  #remark(text: string): void {
    this.remarks.set(text, (this.remarks.get(text) ?? 0) + 1);
  }

  async #usernameOf(stranger: Stranger): Promise<string> {
    const { username, record } = await this.#people.usernameOf(stranger);
    if (record) this.#made.users.push(record);
    return username;
  }

  /** The old slug where it is free, or a new one; undefined for an article that is here already. */
  async #place(stranger: Stranger, own: Own): Promise<Place | void> {
    const { key, wish, title, created_at } = own;
    const origin = this.#slugs.has(wish) ? undefined : this.#origins.get(wish);
    const isThen = created_at === undefined || origin?.created_at.getTime() === Date.parse(created_at);
    // Its author may have another name by now.
    if (created_at !== undefined && isThen && origin?.title === title) return this.#leave(origin, own);
    const author = await this.#usernameOf(stranger);
    if (isThen && origin?.author === author) return this.#leave(origin, own);
    const isKept = isValidSlug(wish) && !this.#slugs.has(wish) && origin === undefined;
    const slug = isKept ? wish : derivedSlug({ author, title, createdAt: new Date(created_at ?? 0) });
    const made = isKept ? undefined : (await originsOf(this.#options.db, [slug])).get(slug);
    if (made !== undefined) return this.#leave(made, own);
    if (!isKept && wish !== "") this.#remark(NEW_SLUG);
    const place = { author, slug };
    this.#slugs.add(slug);
    this.#places.set(key, place);
    return place;
  }

  #leave({ id, slug, author, state }: Origin, { key, title }: Own): void {
    this.#slugs.add(slug);
    if (state === "deleted") {
      const reason = `it was deleted here; \`inkstone article restore ${id}\` brings it back`;
      this.leftOut.push({ type: "article", name: title, reason });
      return;
    }
    this.here += 1;
    this.#places.set(key, { author, slug });
  }

  #addPath(address: string, place: Place | undefined): void {
    const path = retiredPath(address);
    if (!place || path === undefined || path === pathUnder(place.author, place.slug)) return;
    this.#paths.push({ path, article: place.slug });
  }

  /** An address that leads to another article goes on leading there. */
  async #freePaths(): Promise<CommunityRecord[]> {
    const paths = this.#paths.map(({ path }) => path);
    const owners = await ownersOfPaths(this.#options.db, paths);
    return this.#paths.flatMap(({ path, article }) => {
      if ((owners.get(path) ?? article) !== article) return [];
      owners.set(path, article);
      return { type: "retired_path", path, article };
    });
  }
}
