import { type Static, Type } from "typebox";
import { listPage } from "../http/schema.ts";

const Colour = Type.Union([Type.String({ description: "Like `#f7df1e`." }), Type.Null()]);

export const Tag = Type.Object(
  { id: Type.Integer(), name: Type.String(), bg_color_hex: Colour, text_color_hex: Colour },
  { title: "Tag" },
);

export const FlareTag = Type.Object(
  { name: Type.String(), bg_color_hex: Colour, text_color_hex: Colour },
  { title: "FlareTag" },
);

export const TagList = Type.Object(listPage({ default: 10, max: 1000 }));
export type TagList = Static<typeof TagList>;
