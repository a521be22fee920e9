import type { Letters } from "../mail/sending.ts";
import { formatMoment } from "../text/dates.ts";
import { PASSWORD_PAGE, SESSIONS as PATH, withQuery } from "../paths.ts";
import { addressLetters } from "./addresses.ts";
import * as links from "../users/one-time-links.ts";
import { findDisabled } from "../webhooks/endpoint-state.ts";
import { joiningLetters } from "./joining.ts";

const SESSIONS = { path: PATH, words: "See where you are signed in" };
const CHANGE = { path: PASSWORD_PAGE, words: "Change your password" };

const SECOND_FACTOR = { on: "was turned on", off: "was turned off", codes: "got new recovery codes" };

/** The emails of the site. The first paragraph of one stands alone where it becomes a notification. */
export const letters: Letters = {
  ...joiningLetters,

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

  ...addressLetters,

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
