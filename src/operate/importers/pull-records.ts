import { addressOf, titleOf } from "../../community/feed-imports/attributes.ts";
import { readDate } from "../../content/feeds/dates.ts";
import { accepts, isObject } from "../../platform/fields/fields.ts";
import { FIELDS as ORGANIZATION } from "../../community/organizations/fields.ts";
import { MAX_RECORD_ID } from "../../community/records/identity.ts";
import { tagsOfNames } from "../../platform/text/tags.ts";
import { PICTURE, PROFILE } from "../../community/users/fields.ts";
import { stringOf, withoutNothing, wordOf } from "./article-values.ts";
import type { CommunityRecord } from "./reader.ts";

export type Fields = Record<string, unknown>;

export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});
export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);
export const usernameIn = (value: unknown) => stringOf(fieldsOf(value)["username"])?.toLowerCase();

// An e-mail address would be that of an account here.
const { email: _, ...USER } = PROFILE;
const KINDS = {
  user: { ...USER, profile_image: PICTURE },
  organization: { ...ORGANIZATION, profile_image: PICTURE },
};

/** A profile, or the few attributes of a person that stand beside articles and comments. */
export function profileRecord(type: keyof typeof KINDS, source: Fields): CommunityRecord {
  const { id, user_id, username, joined_at, twitter_username, github_username } = source;
  // Forem's names for the same.
  const profile: Fields = {
    microblog_username: twitter_username,
    codehost_username: github_username,
    ...source,
  };
  // A path would be a picture of this site; and a site makes patterns for people without a picture by their id.
  const isOwn = !/^https?:(?!.*\/assets\/identicons\/)/.test(wordOf(profile["profile_image"]));
  const fitting = Object.entries(KINDS[type]).map(([key, field]) => {
    const isFit = accepts(field, profile[key]) && !(key === "profile_image" && isOwn);
    return [key, isFit ? profile[key] : undefined];
  });
  return withoutNothing({
    type,
    id: idOf(id ?? user_id),
    name: username,
    ...withoutNothing(Object.fromEntries(fitting)),
    username: wordOf(username).toLowerCase(),
    created_at: momentIn(joined_at),
  });
}

export function articleRecord(article: Fields, isPublished: boolean): CommunityRecord {
  const { tag_list, tags, published_at, published_timestamp } = article;
  return withoutNothing({
    type: "article",
    id: idOf(article["id"]),
    slug: stringOf(article["slug"]),
    author: usernameIn(article["user"]),
    organization: usernameIn(article["organization"]),
    title: titleOf(stringOf(article["title"]) ?? ""),
    body_markdown: article["body_markdown"],
    description: stringOf(article["description"]),
    // One of the two is the list, as an array or with commas.
    tags: tagsOfNames([Array.isArray(tags) ? tags : (tag_list ?? [])].flat().map(wordOf)).tags,
    canonical_url: addressOf("canonical_url", stringOf(article["canonical_url"])),
    main_image: addressOf("main_image", stringOf(article["cover_image"])),
    published: isPublished,
    published_at: isPublished ? momentIn(published_at ?? published_timestamp) : undefined,
    created_at: momentIn(article["created_at"]),
    edited_at: momentIn(article["edited_at"]),
    crossposted_at: momentIn(article["crossposted_at"]),
    imported_reactions_count: countOf(article["public_reactions_count"]),
    imported_page_views_count: countOf(article["page_views_count"]),
  });
}

export interface Reply {
  comment: Fields;
  parent: string | undefined;
}

/** The comments of trees, each after the one that it answers. Trees may be very deep. */
export function* commentsIn(trees: unknown): Generator<Reply> {
  const waiting: Reply[] = listOf(trees).map((comment) => ({ comment, parent: undefined }));
  waiting.reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    const parent = stringOf(next.comment["id_code"]);
    for (const comment of listOf(next.comment["children"]).toReversed()) waiting.push({ comment, parent });
  }
}

/** A deleted or hidden comment has neither text nor author, but keeps its place. */
export function commentRecord({ comment, parent }: Reply, article: string, markdown: string) {
  const author = usernameIn(comment["user"]);
  const isGone = author === undefined || markdown.trim() === "";
  return withoutNothing({
    type: "comment",
    id_code: stringOf(comment["id_code"]),
    author,
    article,
    body_markdown: isGone ? "" : markdown,
    parent,
    created_at: momentIn(comment["created_at"]),
    deleted: isGone || undefined,
  });
}

const idOf = (value: unknown) => (Number(value) <= MAX_RECORD_ID ? countOf(value) : undefined);

const countOf = (value: unknown) =>
  Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined;

/** Also `Mar  2, 2022`, the day on which a user joined. */
const momentIn = (value: unknown) => readDate(wordOf(value))?.toISOString();
