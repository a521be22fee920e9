import { type Static, Type } from "typebox";
import { Id, Moment, Text } from "../records/schema.ts";
import { PICTURE, schemasOf, textField, urlField } from "../users/fields.ts";
import { NAME, USERNAME } from "../users/names.ts";

const TEXTS = {
  summary: textField(2_000),
  location: textField(200),
  url: urlField(2_000),
  microblog_username: textField(100),
  codehost_username: textField(100),
  tech_stack: textField(2_000),
  tag_line: textField(200),
  story: textField(10_000),
};

export const FIELDS = { username: USERNAME, name: NAME, ...TEXTS };

/** A profile as it is given; a blank text is none. */
export type Profile = { username: string; name: string } & Partial<Record<keyof typeof FIELDS, string>>;

export const OrganizationRecord = Type.Object({
  username: Text,
  name: Text,
  id: Id,
  ...schemasOf(TEXTS),
  profile_image: PICTURE.schema,
  created_at: Moment,
  members: Type.Optional(
    Type.Array(Type.Object({ username: Type.String(), role: Type.Enum(["admin", "member"]) }), {
      maxItems: 10_000,
    }),
  ),
});
export type OrganizationRecord = Static<typeof OrganizationRecord>;
