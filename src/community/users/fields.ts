import { type Static, type TOptional, type TString, Type } from "typebox";
import { flag, Id, Moment, Text } from "../records/schema.ts";
import { invalid } from "../../platform/errors.ts";
import { type Field, ofText, type Report, tooLong } from "../../platform/fields/fields.ts";
import { isPath } from "../../content/images/profile-picture.ts";
import { quote } from "../../platform/text/quote.ts";
import { isHttpUrl } from "../../platform/text/urls.ts";
import { countCharacters, faultIn } from "../../platform/text/valid-text.ts";
import { ROLES } from "./columns.ts";
import { EMAIL, NAME } from "./names.ts";

type TextField = Field<string | null> & { schema: TOptional<TString> };

export const schemasOf = <Name extends string>(fields: Record<Name, TextField>) =>
  Object.fromEntries(Object.entries<TextField>(fields).map(([name, { schema }]) => [name, schema])) as Record<
    Name,
    TOptional<TString>
  >;

/** A text of a profile; a blank one is none. */
export const textField = (maxLength: number, store: StoreText = storedText): TextField => ({
  schema: Type.Optional(Type.String({ maxLength })),
  read: ofText((text, report, name) => {
    const fault = faultIn(text);
    if (fault !== undefined) return report(`contains ${fault}: leave it out`);
    if (countCharacters(text) > maxLength) return report(tooLong(maxLength));
    return store(text, report, name);
  }),
});

type StoreText = (text: string, report: Report, name: string) => string | null | undefined;

/** An address, which becomes a link and must be safe to follow. */
export const urlField = (maxLength: number): TextField =>
  textField(maxLength, (text, report, name) => {
    const url = text.trim() || null;
    return url === null || isHttpUrl(url) ? url : report(noUrl(text), name, name);
  });

const noUrl = (text: string) =>
  `must be a full http or https address such as https://example.com/lena, not ${quote(text)}`;

const TEXTS = {
  email: textField(254, (text, report, name) => (text.trim() === "" ? null : EMAIL.read(text, report, name))),
  summary: textField(2_000),
  location: textField(200),
  website_url: urlField(2_000),
  microblog_username: textField(100),
  codehost_username: textField(100),
};

/** The fields that users fill in themselves. */
export const PROFILE = { name: NAME, ...TEXTS };

/** A picture in a community file: an address, or the path of a picture that this site keeps. */
export const PICTURE: TextField = {
  ...urlField(2_000),
  read: ofText((text, report, name) =>
    isPath(text.trim()) ? text.trim() : urlField(2_000).read(text, report, name),
  ),
};

/** A text as it is stored: nothing rather than blank. */
export function storedText(text: string): string | null {
  return text.normalize("NFC").trim() || null;
}

export function storedUrl(field: string, text: string): string | null {
  const url = text.trim();
  if (url === "") return null;
  if (isHttpUrl(url)) return url;
  throw invalid(`${field} ${noUrl(text)}`);
}

export interface Edit<Change> {
  id: number;
  change: Change;
  picture?: string | null | undefined;
}

export interface Edited {
  changed: boolean;
  replaced: string | null;
}

/** The picture that another one, or none, replaces. */
export function replacedPicture(
  existing: { profile_image: string | null },
  given: string | null | undefined,
): string | null {
  return given === undefined || given === existing.profile_image ? null : existing.profile_image;
}

export const KeyRecord = Type.Object({
  key: Type.Optional(Type.String({ minLength: 16, maxLength: 1_000 })),
  sha256: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$", "x-rule": "64 digits 0-9 and a-f" })),
  description: Type.String({ minLength: 1, maxLength: 300 }),
  read_only: flag(false),
  expires_at: Moment,
});
export type KeyRecord = Static<typeof KeyRecord>;

const { email, ...texts } = schemasOf(TEXTS);

export const UserRecord = Type.Object({
  username: Text,
  name: Text,
  id: Id,
  email,
  role: Type.Optional(Type.Enum([...ROLES], { default: "member" })),
  ...texts,
  profile_image: PICTURE.schema,
  created_at: Moment,
  suspended: flag(false),
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  password_hash: Type.Optional(
    Type.String({ pattern: "^\\$[!-~]{1,500}$", "x-rule": "a hash that begins with $" }),
  ),
  totp_secret: Type.Optional(
    Type.String({ pattern: "^[A-Z2-7]{32}$", "x-rule": "32 letters A to Z and digits 2 to 7" }),
  ),
  api_keys: Type.Optional(Type.Array(KeyRecord, { maxItems: 20 })),
});
export type UserRecord = Static<typeof UserRecord>;
