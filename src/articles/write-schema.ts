import { type Static, type TSchema, Type } from "typebox";
import { orNull, Timestamp, Url } from "../http/schema.ts";
import { Owner } from "../organizations/schema.ts";
import { FlareTag } from "../tags/schema.ts";
import { Author } from "../users/schema.ts";
import { Article } from "./schema.ts";

/** What a write answers. */
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
  { title: "WrittenArticle" },
);

/** An article in the list of its author. */
export const OwnArticle = Type.Object(
  {
    type_of: Type.Literal("article"),
    id: Type.Integer(),
    title: Type.String(),
    description: Type.String(),
    published: Type.Boolean({ description: "Also true of a scheduled article." }),
    published_at: orNull(Timestamp),
    slug: Type.String({ description: "Until the first publication one that says so." }),
    path: Type.String(),
    url: Url,
    comments_count: Type.Integer(),
    public_reactions_count: Type.Integer(),
    page_views_count: Type.Integer(),
    published_timestamp: Type.String(),
    body_markdown: Type.String(),
    positive_reactions_count: Type.Integer(),
    cover_image: orNull(Url),
    tag_list: Type.Array(Type.String()),
    canonical_url: Url,
    reading_time_minutes: Type.Integer(),
    user: Author,
    organization: Type.Optional(Owner),
    flare_tag: Type.Optional(FlareTag),
  },
  { title: "OwnArticle" },
);
export type OwnArticle = Static<typeof OwnArticle>;

const attributes = {
  title: Type.String({ maxLength: 128, description: "Required unless the front matter has it." }),
  body_markdown: Type.String({
    description:
      "Markdown, with or without front matter, which wins over the attributes. Kept and given back byte for byte; at most 800 KiB.",
  }),
  published: Type.Boolean({ description: "A draft when left out." }),
  tags: Type.Union([Type.Array(Type.String()), Type.String()], {
    description: "At most 4, of letters and digits; a comma-separated text is read as an array.",
  }),
  main_image: orNull(Type.String({ description: "An http or https address; empty for none." })),
  canonical_url: orNull(
    Type.String({
      description:
        "Where the original is: an http or https URL with any host, printed and never fetched. A host that readers elsewhere can't open brings a warning. Unique among published articles; empty for none.",
    }),
  ),
  description: Type.String({ description: "Made from the body when it is empty or left out." }),
  series: orNull(
    Type.String({ maxLength: 200, description: "The name of a series of the author; made when it is new." }),
  ),
  collection_id: orNull(Type.Integer({ description: "A series of the author; `series` wins." })),
  organization_id: orNull(
    Type.Integer({
      description: "Ignored, with a warning, if the caller is no member of it. May be a text of digits.",
    }),
  ),
  published_at: orNull(
    Type.String({ description: "With `published`: a date to come schedules. Ignored once published." }),
  ),
  video_source_url: orNull(Type.String({ description: "An http or https address; empty for none." })),
};

const optional = Object.fromEntries(
  Object.entries(attributes).map(([name, schema]) => [name, Type.Optional(schema)]),
);

export const NewArticle = Type.Object({
  article: Type.Object({ ...optional, body_markdown: attributes.body_markdown }),
});

export const ArticleChange = Type.Object({
  article: Type.Object({
    ...optional,
    title: changed(attributes.title, "Left as it is when left out. The front matter's wins."),
    published: changed(
      attributes.published,
      "Publishes or unpublishes. Left as it is when left out. The front matter's wins.",
    ),
    tags: changed(
      attributes.tags,
      "Replace all tags: at most 4, of letters and digits; an empty array removes them.",
    ),
    description: changed(
      attributes.description,
      "Made from the body when it is empty; left as it is when left out.",
    ),
    published_at: changed(
      attributes.published_at,
      "With `published`, or of a scheduled article: a date to come schedules. Ignored, with a warning, once published.",
    ),
  }),
});

function changed<Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Optional({ ...schema, description });
}
