import { Type } from "typebox";
import { orNull } from "../http/schema.ts";

const tags = Type.Union([Type.Array(Type.String()), Type.String(), Type.Null()], {
  description:
    "At most 8, of letters and digits: an array, or a text with commas. `tags` wins over `tag_list`.",
});

const attributes = {
  title: orNull(Type.String({ maxLength: 128 })),
  body_markdown: orNull(
    Type.String({
      maxLength: 400,
      description: "Markdown of at most 12 line breaks, without images and without `{% %}` tags.",
    }),
  ),
  category: orNull(Type.String({ description: "The slug of a category." })),
  listing_category_id: orNull(Type.Integer({ description: "A category by its number; `category` wins." })),
  tags,
  tag_list: tags,
  location: orNull(Type.String({ maxLength: 32, description: "Empty for none." })),
  expires_at: orNull(Type.String({ description: "From when no list shows it; empty for never." })),
  organization_id: orNull(
    Type.Integer({ description: "An organization that the caller is a member of; may be a text of digits." }),
  ),
};

const optional = Object.fromEntries(
  Object.entries(attributes).map(([name, schema]) => [name, Type.Optional(schema)]),
);

export const NewListing = Type.Object({
  listing: Type.Object({
    ...optional,
    title: attributes.title,
    body_markdown: attributes.body_markdown,
    action: Type.Optional(
      Type.Enum(["draft", "publish"], { description: "`draft` makes one that nobody else sees." }),
    ),
  }),
});

export const ListingChange = Type.Object({
  listing: Type.Object({
    ...optional,
    action: Type.Optional(
      Type.Enum(["publish", "unpublish", "bump"], {
        description: "Does this and nothing else. `bump` moves it to the top, once in 24 hours.",
      }),
    ),
  }),
});
