import { type Static, Type } from "typebox";
import { CATEGORIES, STATUSES } from "./categories.ts";

/** A reaction in a community file. */
export const ReactionRecord = Type.Object({
  user: Type.String(),
  article: Type.Optional(Type.String()),
  comment: Type.Optional(Type.String()),
  category: Type.Enum([...CATEGORIES]),
  created_at: Type.Optional(Type.String({ format: "date-time" })),
  status: Type.Optional(Type.Enum([...STATUSES], { default: "valid" })),
});
export type ReactionRecord = Static<typeof ReactionRecord>;
