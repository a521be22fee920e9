import type { Letters } from "../mail/sending.ts";
import { ACCOUNT, CONFIRM, SESSIONS } from "../paths.ts";
import { formatMoment } from "../text/dates.ts";
import * as addresses from "../users/addresses.ts";

/** The mails about addresses. Two accounts that give one address get the same answers: its mails alone tell. */
export const addressLetters: Pick<Letters, "confirm_address" | "address_changed"> = {
  async confirm_address(db, { userId, address }, { community, now }) {
    if (userId === null || address === null) return undefined;
    const given = { userId, address };
    const waiting = await addresses.findWaiting(db, given, now);
    if (waiting === undefined) return undefined;
    const { username, holder, until } = waiting;
    if (holder !== null)
      return {
        subject: `Your address was given on ${community} again`,
        body: [
          `@${username} gave this address on ${community}. It belongs to @${holder}, and stays there.`,
          "If both accounts are yours, remove it from the one before the other can have it.",
          { path: ACCOUNT, words: "See your account" },
        ],
        why: "You get this email because the address was given on the site. If it wasn’t you, do nothing: nobody else gets it.",
      };
    const token = await addresses.createLink(db, given);
    return {
      subject: `Confirm your address for ${community}`,
      body: [
        `@${username} gave this address on ${community}. Once you confirm it, it signs @${username} in, and gets the mails about the account.`,
        { path: `${CONFIRM}/${token}`, words: "Confirm the address" },
        `The link works once, until ${formatMoment(until)}. Links of earlier mails don’t work any more.`,
      ],
      why: "You get this email because the address was given on the site. If it wasn’t you, do nothing: the account doesn’t get the address.",
    };
  },

  async address_changed(_db, { username, address, createdAt }, { community, contact }) {
    const toAsk = contact === "" ? "ask an admin of the site" : `write to ${contact}`;
    return {
      subject: `Your address for ${community} was changed`,
      body: [
        `The e-mail address ${address ?? ""} of @${username} on ${community} was changed or removed, ${formatMoment(createdAt)}.`,
        `If it was you, do nothing. If not, ${toAsk} for help at once.`,
        { path: SESSIONS, words: "See where you are signed in" },
      ],
      why: "You get this email for the security of your account.",
    };
  },
};
