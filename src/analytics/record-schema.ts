import { type Static, Type } from "typebox";

/** More views of one article on one day than anybody has; sums of many still fit. */
const MAX_VIEWS = 100_000_000;

/** Views of an article in a community file. */
export const PageViewRecord = Type.Object({
  article: Type.String(),
  on: Type.String({ format: "date" }),
  user: Type.Optional(Type.String()),
  referrer: Type.Optional(Type.String({ maxLength: 2_000, default: "" })),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_VIEWS, default: 1 })),
  /** Of one view. */
  read_time_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400, default: 0 })),
  /** Where no user is named any more: how many of the views signed-in people had, and how long they read in all. */
  signed_in_count: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_VIEWS, default: 0 })),
  signed_in_read_time_seconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_VIEWS * 86_400, default: 0 }),
  ),
});
export type PageViewRecord = Static<typeof PageViewRecord>;
