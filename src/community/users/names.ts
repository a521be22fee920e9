import { domainToASCII, domainToUnicode } from "node:url";
import { Type } from "typebox";
import { type Field, ofText, readField, tooLong } from "../../platform/fields/fields.ts";
import { quote } from "../../platform/text/quote.ts";
import { countCharacters, faultIn } from "../../platform/text/valid-text.ts";

const MAX_NAME = 100;
const MAX_EMAIL = 254;

/** Invisible characters make one name look like another. */
const INVISIBLE = /\u034f|[\p{Cc}\p{Cf}\u2028\u2029\u{e0000}-\u{e007f}\u115f\u1160\u3164\uffa0]/u;

/** Whether a text needs a query: another one is no username, and may hold NUL. */
export function canBeUsername(text: string): boolean {
  return /^[a-z0-9_]{2,30}$/.test(text);
}

/** Users and organizations share one name space. */
export const USERNAME: Field<string> = {
  schema: Type.String(),
  read: ofText((text, report) => {
    const username = text.toLowerCase();
    // Judged as given: some signs that are no ASCII letters become one in lower case.
    if (!/^\w{2,30}$/.test(text)) {
      return report(
        `must have 2 to 30 characters, each a letter from a to z, a digit or an underscore, not ${quote(text)}`,
      );
    }
    return RESERVED.has(username) ? report(`${quote(username)} is reserved: choose another`) : username;
  }),
};

export const NAME: Field<string> = {
  schema: Type.String(),
  read: ofText((text, report) => {
    const name = text.normalize("NFC").trim();
    if (name === "") return report("can't be blank");
    if (countCharacters(name) > MAX_NAME) return report(tooLong(MAX_NAME));
    if (INVISIBLE.test(name) || faultIn(name) !== undefined) {
      return report("contains a control, direction or zero-width character: leave it out");
    }
    return name;
  }),
};

/**
 * An e-mail address, with its domain in one of the spellings that lead to the same mailbox (UTS 46); undefined for a text
 * that is none.
 */
function readAddress(text: string): string | undefined {
  const parts = /^([^\s@<>(),;:"]+)@([^\s@<>(),;:"/?#\\[\]]+)$/.exec(text.normalize("NFC").trim());
  const [, local, given = ""] = parts ?? [];
  const domain = domainToUnicode(domainToASCII(given));
  const address = `${local}@${domain}`;
  const isAddress = /^[^.]+(?:\.[^.]+)*$/.test(domain) && address.length <= MAX_EMAIL;
  return isAddress && !INVISIBLE.test(text) ? address : undefined;
}

/** The key by which logins are looked up and counted: lower case, NFC. */
export function toLogin(typed: string): string {
  const login = typed.normalize("NFC").trim().toLowerCase();
  return readAddress(login) ?? login;
}

/** Only a message to it can show whether it works. */
export const EMAIL: Field<string> = {
  schema: Type.Optional(Type.String({ maxLength: MAX_EMAIL })),
  read: ofText(
    (text, report) =>
      readAddress(text) ?? report(`must be an address such as lena@example.com, not ${quote(text)}`),
  ),
};

export const checkUsername = (text: string): string => readField(USERNAME, text, "username");

/**
 * First the first segments of addresses, present and likely; then the mailboxes of RFC 2142; then names that look
 * like the site itself.
 */
export const RESERVED: ReadonlySet<string> = new Set(
  `
  about account accounts address admin analytics api applications archive articles assets auth billing by_path chat
  code_of_conduct collections comments confirm connect contact dashboard demo docs download drafts edit embed explore
  favicon feed feeds files follow
  followers following follows health healthz health_checks help home hot images import instance internal invite
  join latest listings login logout manifest me media metrics mod moderation moderator moderators new newest
  notification notifications oauth onboarding openapi organization organizations orgs password pod podcast podcasts
  popular privacy profile public publish readinglist reading_list readyz register reports reset robots rss rules
  search series session sessions settings setup signin signout signup sign_in sign_out sign_up site sitemap stats static
  status stories subscribe tag tags terms top unsubscribe upload uploads user users videos webhooks well_known
  write

  abuse ftp hostmaster info marketing news noc postmaster sales security support usenet uucp webmaster www

  administrator anonymous everyone everybody inkstone nobody null official root staff superuser sysadmin system
  team undefined
  `
    .trim()
    .split(/\s+/),
);
