import { list, operations } from "../../http/operation.ts";
import { listed } from "../../http/responses.ts";
import * as queries from "./queries.ts";
import { Tag, TagList } from "./schema.ts";

const EXAMPLE = { id: 6, name: "javascript", bg_color_hex: "#F7DF1E", text_color_hex: "#000000" };

export const tagRoutes = operations("tags", [
  list({
    path: "GET /api/tags",
    id: "listTags",
    access: "public",
    summary: "List tags",
    description: "All tags, most used first, without aliases.",
    query: TagList,
    answers: listed(Tag, "the tags", EXAMPLE),
    rows: (_, { db }, part) => queries.list(db.replica, part),
    show: (row) => row,
  }),
]);
