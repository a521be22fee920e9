import { type Static, type TStringOptions, Type } from "typebox";
import { MAX_QUERY } from "../../search/index/query-parts.ts";
import {
  count,
  listPage,
  orNull,
  searchPage,
  text,
  textOrNull,
  timestamp,
  url,
  withWarnings,
} from "../../http/schema.ts";
import { Owner } from "../organizations/schema.ts";
import { FlareTag } from "../tags/schema.ts";
import { Author } from "../users/schema.ts";

const common = {
  type_of: Type.Literal("article", { description: "The type of the resource." }),
  id: count("The id of the article."),
  title: text("The title."),
  description: text("A summary in one or two sentences."),
  readable_publish_date: textOrNull(
    "The publication date for display: `Mar 2`, or `Mar 2 '24` in another year. Null when unpublished.",
  ),
  slug: text("The article's part of its path."),
  path: text("`/{username}/{slug}`, with the username of the organization or else of the author."),
  url: url("The URL of the article."),
  comments_count: count("The number of comments."),
  public_reactions_count: count("The number of public reactions."),
  positive_reactions_count: count("The same as `public_reactions_count`."),
  collection_id: orNull(count("The id of the series that the article belongs to.")),
  published_timestamp: text(
    "`crossposted_at` where it is set, otherwise `published_at`. Empty when unpublished.",
  ),
  cover_image: orNull(url("The URL of the cover image.")),
  social_image: url("The URL of the image for link previews: the cover image, or a generated card."),
  canonical_url: url("The URL of the original; the article's own unless its author has set another."),
  created_at: timestamp("When the article was created."),
  edited_at: orNull(timestamp("When its author last changed the published article.")),
  crossposted_at: orNull(timestamp("When the original was published, for articles imported from a feed.")),
  published_at: orNull(timestamp("When the article was published. Null when unpublished.")),
  last_comment_at: timestamp("When the latest comment was written; before the first one, `published_at`."),
  reading_time_minutes: count("The estimated reading time in minutes."),
};

const people = {
  user: Author,
  organization: Type.Optional(Owner),
  flare_tag: Type.Optional(FlareTag),
};

export const ArticleSummary = Type.Object(
  {
    ...common,
    tag_list: Type.Array(Type.String(), { description: "The tags." }),
    tags: text("The same tags, separated by a comma and a space."),
    body_markdown: Type.Optional(text("The body. Only in the response to a search that finds one article.")),
    ...people,
  },
  { title: "ArticleSummary", description: "An article in a list, without its body." },
);
export type ArticleSummary = Static<typeof ArticleSummary>;

export const Article = Type.Object(
  {
    ...common,
    tag_list: text("The tags, separated by a comma and a space. In lists this is the array."),
    tags: Type.Array(Type.String(), { description: "The tags. In lists this is the string." }),
    body_html: text("The body as sanitised HTML."),
    body_markdown: text("The body as written: Markdown with its front matter, if any."),
    ...people,
  },
  { title: "Article", description: "An article with its body." },
);
export type Article = Static<typeof Article>;

export const WrittenArticle = withWarnings(
  Article,
  "WrittenArticle",
  "An article after a write, with warnings if there are any.",
);

const shown = { ...Article.properties, tags: Type.Array(Type.String(), { description: "The tags." }) };

export const OwnArticle = Type.Object(
  {
    type_of: shown.type_of,
    id: shown.id,
    title: shown.title,
    description: shown.description,
    published: Type.Boolean({ description: "Whether the article is published or scheduled." }),
    published_at: orNull(
      timestamp("When the article was or will be published, in milliseconds. Null for other drafts."),
    ),
    slug: text("The article's part of its path; temporary until the first publication."),
    path: shown.path,
    url: shown.url,
    comments_count: shown.comments_count,
    public_reactions_count: shown.public_reactions_count,
    page_views_count: count("The number of views."),
    published_timestamp: shown.published_timestamp,
    body_markdown: shown.body_markdown,
    positive_reactions_count: shown.positive_reactions_count,
    cover_image: shown.cover_image,
    tag_list: shown.tags,
    canonical_url: shown.canonical_url,
    reading_time_minutes: shown.reading_time_minutes,
    ...people,
  },
  { title: "OwnArticle", description: "An article in the list of its author." },
);
export type OwnArticle = Static<typeof OwnArticle>;

/** Any text: an unstorable one matches nothing, and separates words in a search. */
const anyText = (description: string, options: TStringOptions = {}) =>
  Type.Optional(Type.String({ ...options, description, "x-any-text": true }));

const top = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 36_500,
    description: "Only articles published in the last `top` days, most popular first.",
    examples: [365],
  }),
);
const tag = anyText("Only articles with this tag or an alias of it, in any case.", {
  examples: ["gardening"],
});
/** A cursor holds the sort key of a row, so each order has cursors of its own. */
const cursor = (example: string) =>
  Type.Optional(
    Type.String({
      maxLength: 500,
      description: "The position to continue from; part of the `next` link.",
      examples: [example],
    }),
  );
const BY_RELEVANCE = cursor("WyJzZWFyY2giLDAuNSw1NF0");
const BY_HOTNESS = cursor("WyJob3RuZXNzIiwxMDAwLCIyMDI2LTAzLTAyVDA5OjE1OjAwLjAwMFoiLDU0XQ");
const BY_DATE = cursor("WyJuZXdlc3QiLCIyMDI2LTAzLTAyVDA5OjE1OjAwLjAwMFoiLDU0XQ");

export const ArticleSearch = Type.Object({
  q: anyText(
    'The words to find; articles with all of them come first. The last word also matches as a prefix, from three letters on. `"quoted words"` match as a phrase; `-word` at the end excludes articles with the word. Case and accents are ignored.',
    { maxLength: MAX_QUERY, examples: ["tomatoes"] },
  ),
  ...searchPage,
  top,
  tag,
  cursor: BY_RELEVANCE,
});
export type ArticleSearch = Static<typeof ArticleSearch>;

export const ArticleList = Type.Object({
  ...listPage({ default: 30, max: 1000 }),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: "Items per page. The default is 30, or 1000 with `username` and `state=all`.",
      examples: [10],
    }),
  ),
  tag,
  tags: anyText("Only articles with at least one of these comma-separated tags.", {
    examples: ["bread,tea"],
  }),
  tags_exclude: anyText("Only articles with none of these comma-separated tags.", {
    examples: ["javascript,python"],
  }),
  username: anyText("Only articles by the user or organization with this username.", {
    examples: ["lukas_brandt"],
  }),
  state: anyText(
    "`fresh`, `rising` or `recent`; with `username` also `all`. Any other value finds nothing.",
    { examples: ["recent"] },
  ),
  top,
  collection_id: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: "Only articles in the series with this id.",
      examples: [1],
    }),
  ),
  sort: Type.Optional(
    Type.Enum(["desc", "asc"], {
      description: "The order by publication date: `desc` for newest first, `asc` for oldest first.",
      examples: ["desc"],
    }),
  ),
  cursor: BY_HOTNESS,
});
export type ArticleList = Static<typeof ArticleList>;

export const LatestArticles = Type.Object({ ...ArticleList.properties, cursor: BY_DATE });

export const ArticlePages = Type.Object({ ...listPage({ default: 30, max: 1000 }), cursor: BY_DATE });

export const ArticleId = Type.Object({
  id: Type.String({
    description: "The id of the article, its slug, or `{username}%2F{slug}`.",
    examples: ["growing-tomatoes-from-seed-in-a-cold-climate"],
  }),
});

export const ArticlePath = Type.Object({
  username: Type.String({
    description: "The username of the author or organization.",
    examples: ["mara_lindqvist"],
  }),
  slug: Type.String({
    description: "The slug of the article.",
    examples: ["growing-tomatoes-from-seed-in-a-cold-climate"],
  }),
});

export const ArticleByPath = Type.Object({
  url: Type.String({
    description: "The path of the article, or its full URL.",
    examples: ["/mara_lindqvist/growing-tomatoes-from-seed-in-a-cold-climate"],
  }),
});

export const VideoArticle = Type.Object(
  {
    type_of: Type.Literal("video_article", { description: "The type of the resource." }),
    id: count("The id of the article."),
    path: common.path,
    cloudinary_video_url: url("The URL of the preview image."),
    title: text("The title of the article."),
    user_id: count("The id of the author."),
    video_duration_in_minutes: text(
      "The duration: `5:09`, or `1:02:03` for an hour and more. `0:00` when unknown.",
    ),
    video_source_url: url("The URL of the video."),
    user: Type.Object({ name: text("The display name.") }, { description: "The author." }),
  },
  { title: "VideoArticle", description: "An article with a video, in a list." },
);
export type VideoArticle = Static<typeof VideoArticle>;

export const VideoList = Type.Object({ ...listPage({ default: 24, max: 1000 }), cursor: BY_HOTNESS });
