import type { Letters } from "../../mail/sending.ts";
import { formatMoment } from "../../platform/text/dates.ts";
import {
  ACCOUNT,
  APPLICATIONS,
  CONFIRM,
  INVITE,
  PASSWORD_PAGE,
  SESSIONS as SESSIONS_PAGE,
  SIGN_UP,
  withQuery,
} from "../../platform/paths.ts";
import { aboutNotifications } from "./about-notifications.ts";
import { noticeOf } from "../notifications/acts.ts";
import * as links from "../users/one-time-links.ts";
import { findDisabled } from "../webhooks/endpoint-state.ts";
import * as addresses from "../users/addresses.ts";
import { count } from "../../platform/text/sentences.ts";
import * as invitations from "../users/invitations.ts";
import { createLink } from "../users/joining.ts";
import * as signUps from "../users/sign-ups.ts";

const SIGN_IN = { path: "/signin", words: "Sign in" };

const SESSIONS = { path: SESSIONS_PAGE, words: "See where you are signed in" };
const CHANGE = { path: PASSWORD_PAGE, words: "Change your password" };

const SECOND_FACTOR = { on: "was turned on", off: "was turned off", codes: "got new recovery codes" };

/** The emails of the site. The first paragraph of one stands alone where it becomes a notification. */
export const letters: Letters = {
  ...aboutNotifications,

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

  async sign_in_link(db, { userId, username }, { community, now }) {
    if (userId === null) return undefined;
    const token = await links.create(db, userId, now, links.MAILED_LINK_MINUTES);
    return {
      subject: `Sign in to ${community}`,
      body: [
        `This link signs you in to ${community} as @${username}, once, within ${links.MAILED_LINK_MINUTES} minutes.`,
        { path: withQuery(`/signin/link/${token}`, { next: PASSWORD_PAGE }), words: "Sign in" },
        "Then you can choose a new password. Earlier links don’t work any more.",
      ],
      why: "You get this email because a link was asked for on the site. If you didn’t ask for it, do nothing: nobody else has the link.",
    };
  },

  async password_changed(_db, { username, createdAt }, { community }) {
    return {
      subject: `Your password for ${community} was changed`,
      body: [
        `The password of @${username} on ${community} was changed, ${formatMoment(createdAt)}. Other browsers were signed out.`,
        "If it wasn’t you, ask the people who run the site for help at once.",
        SESSIONS,
      ],
      why: "You get this email for the security of your account.",
    };
  },

  async second_factor_changed(_db, { username, about: { change }, createdAt }, { community }) {
    const words = SECOND_FACTOR[change];
    return {
      subject: `Your second factor for ${community} ${words}`,
      body: [
        `The second factor of @${username} on ${community} ${words}, ${formatMoment(createdAt)}.`,
        "If it wasn’t you, change your password at once, and ask the people who run the site for help.",
        CHANGE,
        SESSIONS,
      ],
      why: "You get this email for the security of your account.",
    };
  },

  /** Accounts that give one address get the same answers: only its emails tell who has it. */
  async confirm_address(db, { userId, address }, { community, now }) {
    if (userId === null || address === null) return undefined;
    const waiting = await addresses.findWaiting(db, { userId, address }, now);
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
    const token = await addresses.createLink(db, waiting);
    return {
      subject: `Confirm your address for ${community}`,
      body: [
        `@${username} gave this address on ${community}. Once you confirm it, it signs @${username} in, and gets the emails about the account.`,
        { path: `${CONFIRM}/${token}`, words: "Confirm the address" },
        `The link works once, until ${formatMoment(until)}. Links of earlier emails don’t work any more.`,
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
        SESSIONS,
      ],
      why: "You get this email for the security of your account.",
    };
  },

  async moderation(db, { about: { log_id: id } }, { community, contact }) {
    const notice = await noticeOf(db, id);
    if (notice === undefined) return undefined;
    const { words, reason, path } = notice;
    return {
      subject: `${words.replace(/ “.*”/s, "")} on ${community}`,
      body: [
        `${words}.`,
        ...(reason === null ? [] : [`The reason: ${reason}`]),
        ...(contact === "" ? [] : [`Write to ${contact} if you have questions.`]),
        { path, words: "See it on the site" },
      ],
      why: `You get this email because it is about your account on ${community}.`,
    };
  },

  async webhook_disabled(db, { about: { webhook_endpoint_id: id } }, { community }) {
    const endpoint = await findDisabled(db, id);
    if (endpoint === undefined) return undefined;
    return {
      subject: `A webhook endpoint of yours on ${community} is disabled`,
      body: [
        `${community} sends nothing more to ${endpoint.target_url}. ${endpoint.disabled_reason}`,
        "When the endpoint works again, enable it through the API: it then gets what it has missed.",
        { path: "/api/docs", words: "Read how to enable it" },
      ],
      why: "You get this email because the endpoint is yours.",
    };
  },
};
