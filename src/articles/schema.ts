import { type Static, Type } from "typebox";
import { listPage, orNull, searchPage, Timestamp, Url } from "../http/schema.ts";
import { Owner } from "../organizations/schema.ts";
import { FlareTag } from "../tags/schema.ts";
import { Author } from "../users/schema.ts";

const common = {
  type_of: Type.Literal("article"),
  id: Type.Integer(),
  title: Type.String(),
  description: Type.String(),
  readable_publish_date: orNull(
    Type.String({ description: "Like `Mar 2`, or `Mar 2 '24` in another year." }),
  ),
  slug: Type.String(),
  path: Type.String({ description: "`/` organization or author `/` slug." }),
  url: Url,
  comments_count: Type.Integer(),
  public_reactions_count: Type.Integer(),
  positive_reactions_count: Type.Integer({ description: "The same as `public_reactions_count`." }),
  collection_id: orNull(Type.Integer({ description: "The series it belongs to." })),
  published_timestamp: Type.String({
    description: "The date of the original where there is one, else of publication; empty when unpublished.",
  }),
  cover_image: orNull(Url),
  social_image: Url,
  canonical_url: Url,
  created_at: Timestamp,
  edited_at: orNull(Timestamp),
  crossposted_at: orNull(Timestamp),
  published_at: orNull(Timestamp),
  last_comment_at: Timestamp,
  reading_time_minutes: Type.Integer(),
};

const people = {
  user: Author,
  organization: Type.Optional(Owner),
  flare_tag: Type.Optional(FlareTag),
};

export const ArticleSummary = Type.Object(
  {
    ...common,
    tag_list: Type.Array(Type.String()),
    tags: Type.String({ description: "The same tags, joined with a comma and a space." }),
    body_markdown: Type.Optional(
      Type.String({ description: "In search only, and only when the answer holds exactly one article." }),
    ),
    ...people,
  },
  { title: "ArticleSummary" },
);
export type ArticleSummary = Static<typeof ArticleSummary>;

export const Article = Type.Object(
  {
    ...common,
    tag_list: Type.String({
      description: "The tags joined with a comma and a space. In lists this is the array.",
    }),
    tags: Type.Array(Type.String(), { description: "The tags. In lists this is the text." }),
    body_html: Type.String(),
    body_markdown: Type.String(),
    ...people,
  },
  { title: "Article" },
);
export type Article = Static<typeof Article>;

/** Whatever can't be a name is the name of nothing; in words to look for, it only parts them. */
const ANY_TEXT = { "x-any-text": true };

const top = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 36_500,
    description: "Only articles of the last so many days, the most popular first.",
  }),
);
const tag = Type.Optional(
  Type.String({
    description: "Only articles with this tag. Ignores case and follows aliases.",
    ...ANY_TEXT,
  }),
);
const cursor = Type.Optional(
  Type.String({ maxLength: 500, description: "Where to go on: from the `next` link of the page before." }),
);

export const ArticleSearch = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'What to look for. Every word must match, the last one also as a beginning; `"quoted words"` are a phrase; `-word` excludes. Case and accents are ignored.',
      examples: ["tomatoes"],
      ...ANY_TEXT,
    }),
  ),
  ...searchPage,
  top,
  tag,
  cursor,
});
export type ArticleSearch = Static<typeof ArticleSearch>;

const filters = {
  tag,
  tags: Type.Optional(
    Type.String({
      description: "Only articles with any of these comma-separated tags.",
      ...ANY_TEXT,
    }),
  ),
  tags_exclude: Type.Optional(
    Type.String({
      description: "Only articles with none of these comma-separated tags.",
      ...ANY_TEXT,
    }),
  ),
  username: Type.Optional(
    Type.String({
      description: "Only articles of this person, or of this organization.",
      ...ANY_TEXT,
    }),
  ),
  state: Type.Optional(
    Type.String({
      description:
        "`fresh`, `rising`, `recent`, or `all` together with `username`. Anything else is an empty list.",
      ...ANY_TEXT,
    }),
  ),
  top,
  collection_id: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: "Only the articles of this series." }),
  ),
  sort: Type.Optional(
    Type.Enum(["desc", "asc"], { description: "By date of publication: newest or oldest first." }),
  ),
  cursor,
};

export const ArticleList = Type.Object({
  ...listPage({ default: 30, max: 1000 }),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: "Items per page: 30 when left out, and 1000 with `username` and `state=all`.",
    }),
  ),
  ...filters,
});
export type ArticleList = Static<typeof ArticleList>;

/** The same without anything to narrow it by. */
export const ArticlePages = Type.Object({ ...listPage({ default: 30, max: 1000 }), cursor });

export const ArticleId = Type.Object({
  id: Type.String({
    description: "The number of an article, its slug, or `username%2Fslug`.",
    examples: ["growing-tomatoes-4k2p"],
  }),
});

export const ArticlePath = Type.Object({
  username: Type.String({ description: "The author's or organization's username." }),
  slug: Type.String({ description: "The article's slug." }),
});

export const ArticleByPath = Type.Object({
  url: Type.String({ description: "The article's path.", examples: ["/lena/growing-tomatoes-4k2p"] }),
});
