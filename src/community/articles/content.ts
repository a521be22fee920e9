import { isDeepStrictEqual } from "node:util";
import type { Author, User } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { together } from "../../platform/db/pipeline.ts";
import { invalid } from "../../platform/errors.ts";
import { checked, createErrors, type Field, type Input } from "../../platform/fields/fields.ts";
import * as organizations from "../organizations/organizations.ts";
import { isReachableAnywhere } from "../../platform/net/destination.ts";
import type { Settings } from "../../platform/settings/fields.ts";
import * as tags from "../tags/tags.ts";
import { type FrontMatter, parseFrontMatter } from "../../content/text/front-matter.ts";
import { mentionsIn } from "../../content/text/references.ts";
import { joinSentences } from "../../platform/text/sentences.ts";
import * as users from "../users/users.ts";
import { checkFree } from "./canonical-urls.ts";
import { compose, type RenderedBody, videoOf } from "./compose.ts";
import { type ArticleValues, FIELDS, NO_BODY } from "./fields.ts";
import { isClaimed, save, type WantedDate } from "./publication-status.ts";
import { findReferences, renderBody } from "./rendering.ts";
import * as series from "./series.ts";
import type { ArticleRow } from "./writing.ts";

interface Prepared {
  values: ArticleValues;
  body: (RenderedBody & { frontMatter: FrontMatter }) | undefined;
}

/** Checks and renders, before the transaction. @throws AppError */
export async function prepare(
  { db, renderer }: Author,
  given: Input,
  { community, isPublished }: { community: Settings; isPublished: boolean },
): Promise<Prepared> {
  const values = checked(FIELDS, given);
  const { body_markdown: markdown } = values;
  if (markdown === undefined) return { values, body: undefined };
  const { attributes: frontMatter, body } = parseFrontMatter(markdown);
  const references = await findReferences(db, [markdown], renderer);
  // Only published articles are searched.
  const hasTerms = frontMatter.published ?? values.published ?? isPublished;
  const options = { references, searchLanguage: hasTerms ? community.search_language : undefined };
  const rendered = await renderBody(renderer, { markdown, body }, options);
  return { values, body: { ...rendered, frontMatter } };
}

interface Source extends Prepared {
  writer: User;
  author: { name: string } | Promise<{ name: string }>;
  now: Date;
  community: Pick<Settings, "contact_email">;
  existing?: ArticleRow;
}

/** The columns of a saved article, and warnings for its writer. @throws AppError invalid */
export async function contentOf(tx: Db, prepared: () => Prepared, given: Omit<Source, keyof Prepared>) {
  const warnings: string[] = [];
  const warn = (sentence: string) => void warnings.push(sentence);
  const source = { ...prepared(), ...given, warn };
  const { body, existing, now, writer, community } = source;
  const merged = mergeFrontMatter(source);
  const faults = [
    ...(existing || merged.title !== undefined ? [] : ["Title can't be blank"]),
    ...(existing || body ? [] : [`Body markdown ${NO_BODY}`]),
  ];
  if (faults.length > 0) throw invalid(joinSentences(faults));
  if (body) await checkMentions(tx, body.html);
  for (const warning of body?.warnings ?? []) warn(warning);
  const isOwn = existing === undefined || existing.author_id === writer.id;
  const status = save(existing, merged, { now, warn, isOwn, isAdmin: writer.role === "admin" });
  if (merged.canonical_url) warnIfUnreachable(merged.canonical_url, warn);
  const { canonical_url = existing?.canonical_url } = merged;
  if (canonical_url && isClaimed(status.state)) {
    const claimant = { writerId: writer.id, contactEmail: community.contact_email };
    await checkFree(tx, { id: existing?.id, canonical_url }, claimant);
  }
  const [tag_list, collection_id, organization_id, author] = await together(
    merged.tags ? tags.preferred(tx, merged.tags) : (existing?.tag_list ?? []),
    seriesOf(tx, source, merged),
    organizationOf(tx, source, merged),
    source.author,
  );
  const columns = {
    ...status,
    ...compose(merged, { existing, body, authorName: author.name }),
    ...videoOf(merged.video_source_url, existing),
    tag_list,
    collection_id,
    organization_id,
  };
  return { columns, terms: body?.terms, warnings };
}

interface Noting extends Source {
  warn: (sentence: string) => void;
}

/** The attributes merged with front matter. Absent ones stay as they are. */
interface Merged extends Omit<ArticleValues, "body_markdown" | "published_at"> {
  date?: WantedDate | undefined;
}

/**
 * Front matter wins; that of a stored body decides only sent attributes.
 * @throws FieldsError
 */
function mergeFrontMatter({ values, body, existing, warn }: Noting): Merged {
  const frontMatter = body?.frontMatter ?? parseFrontMatter(existing?.body_markdown ?? "").attributes;
  const { body_markdown: _, published_at, ...attributes } = values;
  const errors = createErrors();
  const hasTitle = frontMatter.title !== undefined && frontMatter.title !== "";
  const decided: Record<string, unknown> = {
    ...frontMatter,
    title: hasTitle ? frontMatter.title : undefined,
    // Front matter with a title but no description asks for a new one from the body.
    description: frontMatter.description ?? (hasTitle ? "" : undefined),
  };
  const merged: Merged = { ...attributes };
  for (const [name, field] of Object.entries<Field<unknown>>(FIELDS)) {
    const asked: unknown = Reflect.get(values, name);
    const { frontMatter: key } = field;
    if (key === undefined || decided[key] === undefined || (!body && asked === undefined)) continue;
    const value = field.read(decided[key], errors.of(key), key);
    if (asked !== undefined && !isDeepStrictEqual(asked, value)) {
      warn(`Attribute ${name} was ignored: the front matter of body_markdown decides it.`);
    }
    Object.assign(merged, { [name]: value });
  }
  const isRuling = body !== undefined || published_at !== undefined || values.published !== undefined;
  const date = dateOf(published_at, isRuling ? frontMatter : {}, warn);
  errors.throwIfAny();
  // A body with a title decides everything, also that there is no series.
  const isWhole = body !== undefined && hasTitle && merged.collection_id === undefined;
  return { ...merged, date, ...(isWhole && { series: merged.series ?? null }) };
}

function dateOf(
  asked: Date | undefined,
  { published_at, date }: FrontMatter,
  warn: Noting["warn"],
): WantedDate | undefined {
  if (date === "unreadable") {
    warn("The date in the front matter was ignored: write it like 2026-03-02 or 2026-03-02 09:15.");
  }
  const ruling = published_at ?? (date === "unreadable" ? undefined : date);
  if (!ruling) return asked && { moment: asked, by: "attribute" };
  if (asked && asked.getTime() !== ruling.getTime()) {
    warn("Attribute published_at was ignored: the front matter of body_markdown decides it.");
  }
  return { moment: ruling, by: published_at ? "front matter" : "date" };
}

async function seriesOf(tx: Db, { existing, writer }: Source, merged: Merged): Promise<number | null> {
  const ownerId = existing?.author_id ?? writer.id;
  const { series: name, collection_id } = merged;
  if (name === null) return null;
  if (name !== undefined) {
    const [opened] = await series.open(tx, [{ user_id: ownerId, slug: name }]);
    return opened?.id ?? null;
  }
  if (collection_id === undefined) return existing?.collection_id ?? null;
  if (collection_id !== null) await series.checkOwned(tx, ownerId, collection_id);
  return collection_id;
}

async function organizationOf(
  tx: Db,
  { existing, writer, warn }: Noting,
  { organization_id: asked }: Merged,
): Promise<number | null> {
  const present = existing?.organization_id ?? null;
  if (asked === undefined || asked === present) return present;
  if (Number.isNaN(asked)) {
    warn("Attribute organization_id was ignored: it must be the number of an organization, such as 3.");
    return present;
  }
  if (await organizations.isMember(tx, { userId: writer.id, organizationId: asked })) return asked;
  const isAdminsEdit = existing !== undefined && writer.role === "admin";
  if (isAdminsEdit && (await organizations.exists(tx, asked))) return asked;
  warn("Attribute organization_id was ignored: you are not a member of that organization.");
  return present;
}

const MAX_MENTIONS = 7;

/** Each mentioned person is notified. */
async function checkMentions(tx: Db, html: string): Promise<void> {
  const names = mentionsIn(html);
  if (names.length <= MAX_MENTIONS) return;
  const mentioned = await users.idsByUsername(tx, names);
  if (mentioned.size > MAX_MENTIONS) {
    throw invalid(`You cannot mention more than ${MAX_MENTIONS} users in an article`);
  }
}

/** A canonical URL on a private network may be intended. */
function warnIfUnreachable(canonicalUrl: string, warn: (sentence: string) => void): void {
  const url = new URL(canonicalUrl);
  if (isReachableAnywhere(url)) return;
  warn(`Canonical url leads to ${url.hostname}, which readers outside your network can't open.`);
}
