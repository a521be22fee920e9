import { type Static, type TSchema, Type } from "typebox";
import { count, orNull, text, textOrNull, timestamp } from "../http/schema.ts";
import { Article, people } from "./schema.ts";

/** The answer to a write. */
export const WrittenArticle = Type.Object(
  {
    ...Article.properties,
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "Sentences about what was ignored or may not work as intended. Absent when there are none.",
      }),
    ),
  },
  { title: "WrittenArticle", description: "An article after a write, with warnings if there are any." },
);

const shown = { ...Article.properties, tags: Type.Array(Type.String(), { description: "The tags." }) };

/** An article in the list of its author. */
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

const attributes = {
  title: Type.String({ maxLength: 128, description: "The title. Required unless the front matter has one." }),
  body_markdown: Type.String({
    description:
      "The body as Markdown, at most 800 KiB, with optional front matter, which takes precedence over the attributes. Stored and returned byte for byte.",
  }),
  published: Type.Boolean({ description: "Whether to publish the article. The default is false: a draft." }),
  tags: Type.Union([Type.Array(Type.String()), Type.String()], {
    description: "At most 4 tags of letters and digits: an array, or a string separated by commas.",
  }),
  main_image: textOrNull("The URL of the cover image (http or https); empty for none."),
  canonical_url: textOrNull(
    "The http or https URL of the original, unique among published articles; empty for none. It is never fetched. A host that readers elsewhere can't reach causes a warning.",
  ),
  description: text("A summary. Taken from the body when empty or absent."),
  series: orNull(
    Type.String({
      maxLength: 200,
      description: "The name of the author's series that the article belongs to. Created if it is new.",
    }),
  ),
  collection_id: orNull(count("The id of a series of the author. `series` takes precedence.")),
  organization_id: orNull(
    count(
      "The id of the organization to publish for, also as a string. Ignored, with a warning, unless the caller is a member.",
    ),
  ),
  published_at: textOrNull(
    "The publication date. With `published`, a future date schedules the article. Ignored once published.",
  ),
  video_source_url: textOrNull("The URL of a video (http or https); empty for none."),
};

const optional = Object.fromEntries(
  Object.entries(attributes).map(([name, schema]) => [name, Type.Optional(schema)]),
);

export const NewArticle = Type.Object(
  {
    article: Type.Object(
      { ...optional, body_markdown: attributes.body_markdown },
      { title: "NewArticleAttributes", description: "The attributes of the article." },
    ),
  },
  { title: "NewArticle", description: "An article to create." },
);

const changes = {
  ...optional,
  title: changed(attributes.title, "The title. The front matter takes precedence."),
  published: changed(
    attributes.published,
    "Whether the article is published. The front matter takes precedence.",
  ),
  tags: changed(
    attributes.tags,
    "The tags that replace the present ones: at most 4 of letters and digits. An empty array removes all.",
  ),
  description: changed(attributes.description, "A summary. Taken from the body when empty."),
  published_at: changed(
    attributes.published_at,
    "The publication date. With `published`, or for a scheduled article, a future date schedules it. Ignored, with a warning, once published.",
  ),
};

export const ArticleChange = Type.Object(
  {
    article: Type.Object(changes, {
      title: "ArticleChangeAttributes",
      description: "The attributes to change; absent ones stay as they are.",
    }),
  },
  { title: "ArticleChange", description: "A change of an article." },
);

function changed<Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Optional({ ...schema, description });
}
