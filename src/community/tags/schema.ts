import { type Static, Type } from "typebox";
import { count, listPage, text, textOrNull } from "../../http/schema.ts";

const common = {
  name: text("The name of the tag."),
  bg_color_hex: textOrNull("The background colour, such as `#f7df1e`."),
  text_color_hex: textOrNull("The text colour, such as `#000000`."),
};

export const Tag = Type.Object(
  { id: count("The id of the tag."), ...common },
  { title: "Tag", description: "A tag." },
);

export const FlareTag = Type.Object(common, {
  title: "FlareTag",
  description: "The tag that is shown as a badge beside the title of an article.",
});

export const TagList = Type.Object(listPage({ default: 10, max: 1000 }));
export type TagList = Static<typeof TagList>;
