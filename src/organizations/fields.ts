import { textField, urlField } from "../users/fields.ts";
import { NAME, USERNAME } from "../users/names.ts";

/** The attributes of an organization. */
export const FIELDS = {
  username: USERNAME,
  name: NAME,
  summary: textField(2_000),
  location: textField(200),
  url: urlField(2_000),
  microblog_username: textField(100),
  codehost_username: textField(100),
  tech_stack: textField(2_000),
  tag_line: textField(200),
  story: textField(10_000),
};

/** A profile as it is given; a blank text is none. */
export type Profile = { username: string; name: string } & Partial<Record<keyof typeof FIELDS, string>>;
