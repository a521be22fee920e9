import { Type } from "typebox";
import { count, orNull, textOrNull } from "../http/schema.ts";

const tags = Type.Union([Type.Array(Type.String()), Type.String(), Type.Null()], {
  description:
    "At most 8 tags of letters and digits: an array, or a string separated by commas. `tags` takes precedence over `tag_list`.",
});

const attributes = {
  title: orNull(Type.String({ maxLength: 128, description: "The title." })),
  body_markdown: orNull(
    Type.String({
      maxLength: 400,
      description: "The body as Markdown, with at most 12 line breaks and without images or `{% %}` tags.",
    }),
  ),
  category: textOrNull("The slug of the category."),
  listing_category_id: orNull(count("The id of the category. `category` takes precedence.")),
  tags,
  tag_list: tags,
  location: orNull(
    Type.String({ maxLength: 32, description: "The place that the listing is about; empty for none." }),
  ),
  expires_at: textOrNull("When the listing expires and disappears from lists; empty for never."),
  organization_id: orNull(
    count("The id of an organization that the caller is a member of, also as a string."),
  ),
};

const optional = Object.fromEntries(
  Object.entries(attributes).map(([name, schema]) => [name, Type.Optional(schema)]),
);

export const NewListing = Type.Object(
  {
    listing: Type.Object(
      {
        ...optional,
        title: attributes.title,
        body_markdown: attributes.body_markdown,
        action: Type.Optional(
          Type.Enum(["draft", "publish"], {
            description: "`draft` keeps the listing unpublished. The default is `publish`.",
          }),
        ),
      },
      { title: "NewListingAttributes", description: "The attributes of the listing." },
    ),
  },
  { title: "NewListing", description: "A listing to create." },
);

export const ListingChange = Type.Object(
  {
    listing: Type.Object(
      {
        ...optional,
        action: Type.Optional(
          Type.Enum(["publish", "unpublish", "bump"], {
            description:
              "An action, which ignores the other attributes. `bump` moves the listing to the top, at most once in 24 hours.",
          }),
        ),
      },
      {
        title: "ListingChangeAttributes",
        description: "The attributes to change; absent and null ones stay as they are.",
      },
    ),
  },
  { title: "ListingChange", description: "A change of a listing." },
);
