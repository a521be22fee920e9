import { Type } from "typebox";
import { invalid } from "../errors.ts";
import { type Field, ofText } from "../fields/fields.ts";
import { OWN_PICTURE } from "../images/profile-picture.ts";
import { quote } from "../text/quote.ts";
import { isHttpUrl } from "../text/urls.ts";
import { countCharacters, faultIn } from "../text/valid-text.ts";
import { EMAIL, NAME } from "./names.ts";

/** A text of a profile; a blank one is none. */
export const textField = (
  maxLength: number,
  store: Field<string | null>["read"] = ofText(storedText),
): Field<string | null> => ({
  schema: Type.Optional(Type.String({ maxLength })),
  read: ofText((text, report, name) => {
    const fault = faultIn(text);
    if (fault !== undefined) return report(`contains ${fault}: leave it out`);
    if (countCharacters(text) > maxLength) return report(`is too long (maximum is ${maxLength} characters)`);
    return store(text, report, name);
  }),
});

/** An address, which becomes a link and must be safe to follow. */
export const urlField = (maxLength: number): Field<string | null> =>
  textField(
    maxLength,
    ofText((text, report, name) => {
      const url = text.trim() || null;
      return url === null || isHttpUrl(url) ? url : report(noUrl(text), name, name);
    }),
  );

const noUrl = (text: string) =>
  `must be a full http or https address such as https://example.com/lena, not ${quote(text)}`;

/** The fields that users fill in themselves. */
export const PROFILE = {
  name: NAME,
  email: textField(
    254,
    ofText((text, report, name) => (text.trim() === "" ? null : EMAIL.read(text, report, name))),
  ),
  summary: textField(2_000),
  location: textField(200),
  website_url: urlField(2_000),
  microblog_username: textField(100),
  codehost_username: textField(100),
};

/** A picture in a community file: an address, or the path of a picture that this site keeps. */
export const PICTURE: Field<string | null> = {
  ...urlField(2_000),
  read: ofText((text, report, name) =>
    OWN_PICTURE.test(text.trim()) ? text.trim() : urlField(2_000).read(text, report, name),
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

/** The picture that another one, or none, replaces. */
export function replacedPicture(
  existing: { profile_image: string | null },
  given: string | null | undefined,
): string | null {
  return given === undefined || given === existing.profile_image ? null : existing.profile_image;
}
