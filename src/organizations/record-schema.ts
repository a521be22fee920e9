import { type Static, Type } from "typebox";
import { MAX_RECORD_ID } from "../records/identity.ts";

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

export const OrganizationRecord = Type.Object({
  username: Type.String(),
  name: Type.String(),
  id: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RECORD_ID })),
  summary: text(2_000),
  location: text(200),
  url: text(2_000),
  microblog_username: text(100),
  codehost_username: text(100),
  tech_stack: text(2_000),
  tag_line: text(200),
  story: text(10_000),
  profile_image: text(2_000),
  created_at: Type.Optional(Type.String({ format: "date-time" })),
  members: Type.Optional(
    Type.Array(Type.Object({ username: Type.String(), role: Type.Enum(["admin", "member"]) }), {
      maxItems: 10_000,
    }),
  ),
});
export type OrganizationRecord = Static<typeof OrganizationRecord>;
