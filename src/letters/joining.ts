import type { Letters } from "../mail/sending.ts";
import { APPLICATIONS, CONFIRM, INVITE, SIGN_UP, withQuery } from "../paths.ts";
import { count } from "../text/sentences.ts";
import * as addresses from "../users/addresses.ts";
import * as invitations from "../users/invitations.ts";
import { createLink } from "../users/joining.ts";
import * as links from "../users/one-time-links.ts";
import * as signUps from "../users/sign-ups.ts";

type Kinds =
  | "sign_up_link"
  | "invitation"
  | "applications_waiting"
  | "application_approved"
  | "application_declined";

const SIGN_IN = { path: "/signin", words: "Sign in" };

export const joiningLetters: Pick<Letters, Kinds> = {
  /** The form answers the same whether a user has the address already: only its owner learns it here. */
  async sign_up_link(db, { about: { next }, address }, { community, now }) {
    if (address === null) return undefined;
    const owner = await addresses.ownerOf(db, address);
    if (owner?.suspended) return undefined;
    if (owner === undefined) {
      const token = await createLink(db, address, now);
      return {
        subject: `Finish your sign-up to ${community}`,
        body: [
          `This link leads to the page on which you choose your name and password for ${community}. It works within ${addresses.CONFIRM_HOURS} hours.`,
          { path: withQuery(`${SIGN_UP}/${token}`, { email: address, next }), words: "Finish signing up" },
        ],
        why: `You get this email because this address was typed into the sign-up of ${community}. If it wasn’t you, do nothing: there is no account without the link.`,
      };
    }
    const token = await links.create(db, owner.id, now, links.MAILED_LINK_MINUTES);
    return {
      subject: `You have an account on ${community}`,
      body: [
        `This address was given in a sign-up to ${community}, and it belongs to your account @${owner.username} there. If it was you, sign in with your password, or by this link, which works once within ${links.MAILED_LINK_MINUTES} minutes.`,
        { path: `/signin/link/${token}`, words: "Sign in" },
      ],
      why: "You get this email because your address was typed into the sign-up. If it wasn’t you, do nothing: nobody else has the link.",
    };
  },

  async invitation(db, { about: { invitation_id: id } }, { community, now }) {
    const made = await invitations.createLink(db, id, now);
    if (made === undefined) return undefined;
    return {
      subject: `${made.inviter} invites you to ${community}`,
      body: [
        `${made.inviter} invites you to join ${community}. The link works for ${invitations.INVITATION_DAYS} days.`,
        ...(made.note === "" ? [] : [made.note]),
        { path: `${INVITE}/${made.token}`, words: "Join" },
      ],
      why: `You get this email because ${made.inviter} gave this address. If you don’t want to join, do nothing: it isn’t kept for anything else.`,
    };
  },

  async applications_waiting(db, _mail, { community }) {
    const waiting = await signUps.countApplied(db);
    if (waiting === 0) return undefined;
    return {
      subject: `${count(waiting, "application")} to join ${community}`,
      body: [
        `${count(waiting, "application")} to join ${community} ${waiting === 1 ? "waits" : "wait"} for an admin or a moderator.`,
        { path: APPLICATIONS, words: "Read and decide" },
      ],
      why: "You get this email because you are an admin, at most once an hour.",
    };
  },

  async application_approved(db, { userId, username, address }, { community, now }) {
    const ofUser = userId !== null && address !== null && { userId, address };
    const waiting = ofUser ? await addresses.findWaiting(db, ofUser, now) : undefined;
    return {
      subject: `Welcome to ${community}`,
      body: [
        `Your application to join ${community} is approved. You are @${username} there, with the password that you chose.`,
        SIGN_IN,
        ...(waiting?.holder === null
          ? [
              "Confirm your address, so that it signs you in too, and gets the emails about your account.",
              { path: `${CONFIRM}/${await addresses.createLink(db, waiting)}`, words: "Confirm the address" },
            ]
          : []),
      ],
      why: "You get this email because you have applied.",
    };
  },

  async application_declined(db, { about: { sign_up_id: id } }, { community }) {
    const declined = await signUps.findDeclined(db, id);
    if (declined === undefined) return undefined;
    return {
      subject: `Your application to join ${community}`,
      body: [
        `Your application to join ${community} as @${declined.username} is declined.`,
        ...(declined.decline_reason ? [`The reason: ${declined.decline_reason}`] : []),
        "You may apply again after a day.",
      ],
      why: "You get this email because you have applied.",
    };
  },
};
