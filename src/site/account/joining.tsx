import type { ComponentChildren } from "preact";
import {
  HOME,
  INVITE,
  SIGN_UP,
  SIGN_UP_SENT as SENT,
  signInPath,
  USERNAME_CHECK,
  withQuery,
} from "../../paths.ts";
import { notifyOfApplication as tellAdmins } from "../../notifications/notifications.ts";
import * as invitations from "../../users/invitations.ts";
import { MAX_REASON, signUp, type Way, wayIn } from "../../users/joining.ts";
import { newToken } from "../../tokens.ts";
import { Form, type FormFields, type Typed } from "../../web/forms.tsx";
import { type Forms, type FormVisit, type OwnPage, ownPath } from "../forms.tsx";
import { EMAIL, NAME, NEW_PASSWORD } from "./own-fields.ts";
import { narrowPage, TokenParams } from "./narrow-page.tsx";
import { beginSession, NextQuery } from "./signing-in.tsx";

const LEAST_MS = 2_000;

const REASON = {
  label: "Why do you want to join?",
  kind: "textarea",
  maxLength: MAX_REASON,
  required: true,
  hint: "Admins and moderators read it; it isn’t shown on the site.",
} as const;

const FIELDS = {
  name: { ...NAME, hint: "Everyone sees it. It needn’t be your legal one." },
  username: {
    label: "Username",
    autocomplete: "username",
    maxLength: 30,
    required: true,
    hint: "2 to 30 letters a to z, digits or underscores. Everyone sees it; it stays as it is.",
  },
  email: { ...EMAIL, hint: "It is shown to nobody else." },
  password: NEW_PASSWORD,
} as const satisfies FormFields;

export function joinRoutes(forms: Forms): void {
  forms.open(SIGN_UP, {
    fields: { ...FIELDS, reason: REASON },
    querystring: NextQuery,
    async show(visit, typed) {
      if (visit.viewer !== undefined) return { to: HOME };
      const values: Typed["values"] = { next: visit.query.next ?? "", ...typed.values };
      return joinPage(visit, { ...typed, values }, values["invitation"]);
    },
    async submit(visit, { values }) {
      const { services, request, viewer, site } = visit;
      const { config, db, now } = services;
      if (viewer !== undefined) return { to: HOME };
      const { invitation: token } = values;
      const next = ownPath(values["next"]);
      const hasMail = config.mail !== undefined;
      if (isOfProgram(values, now()))
        return { to: hasMail || site.settings.registration === "approval" ? sentAt(newToken()) : next };
      const given = {
        values,
        token,
        communityName: site.settings.community_name,
        next,
        address: request.ip,
        isLimited: config.rateLimits,
      };
      const joined = await signUp(db.main, { ...given, hasMail, tellAdmins }, now());
      if (joined === undefined) return { ...closedPage(visit), status: 403 };
      if ("page" in joined) return { to: sentAt(joined.page) };
      return beginSession(visit, { userId: joined.userId, to: next });
    },
  });
  forms.open(`${INVITE}/:token`, {
    fields: {},
    params: TokenParams,
    async show(visit, typed) {
      if (visit.viewer !== undefined) return { to: HOME };
      return { ...(await joinPage(visit, typed, visit.params.token)), hasSecretAddress: true };
    },
    async submit(visit) {
      const { db, now } = visit.services;
      const { token } = visit.params;
      const invitation = await invitations.find(db.main, { token }, now());
      return invitation === undefined ? deadPage(visit, "is unknown") : { to: `${INVITE}/${token}` };
    },
  });
}

const sentAt = (page: string) => withQuery(SENT, { page });

/** Of programs that fill in each field, or send the form at once. One that fakes the time passes; limits stop it. */
function isOfProgram({ website, shown }: Record<string, string>, now: Date): boolean {
  const age = /^\d{1,15}$/.test(shown ?? "") ? now.getTime() - Number(shown) : 0;
  return (website ?? "") !== "" || age < LEAST_MS;
}

async function joinPage(visit: FormVisit, typed: Typed, token: string | undefined): Promise<OwnPage> {
  const { db, now } = visit.services;
  const invitation = token === undefined ? undefined : await invitations.find(db.main, { token }, now());
  if (token !== undefined && invitation === undefined) return deadPage(visit, "is unknown");
  if (invitation?.end) return deadPage(visit, ENDS[invitation.end]);
  const way = wayIn(visit.site.settings, invitation);
  if (way === undefined)
    return invitation === undefined ? closedPage(visit) : deadPage(visit, "doesn’t count any more");
  return joiningPage(
    `Join ${visit.site.settings.community_name}`,
    <>
      {invitation !== undefined && (
        <p class="lead" dir="auto">
          {invitation.inviter} invites you. {invitation.note}
        </p>
      )}
      <JoinForm way={way} typed={typed} invitation={invitation} token={token} now={now()} />
      <p class="spaced muted">
        You have an account? <a href={signInPath(typed.values["next"] || undefined)}>Sign in</a>
      </p>
    </>,
    typed,
  );
}

interface JoinFormProps {
  way: Way;
  typed: Typed;
  invitation: invitations.Invitation | undefined;
  token: string | undefined;
  now: Date;
}

function JoinForm({ way, typed, invitation, token, now }: JoinFormProps) {
  const { next, shown = String(now.getTime()), page = newToken() } = typed.values;
  const values = { email: invitation?.address ?? "", ...typed.values };
  const check = withQuery(USERNAME_CHECK, token === undefined ? {} : { invitation: token });
  const fields = { ...FIELDS, username: { ...FIELDS.username, check } };
  return (
    <Form
      action={SIGN_UP}
      typed={{ ...typed, values }}
      fields={way === "application" ? { ...fields, reason: REASON } : fields}
      submit={way === "application" ? "Ask to join" : "Join"}
      hidden={{ next, shown, page, invitation: token }}
    >
      <p hidden>
        <label for="website">Leave this empty</label>
        <input id="website" name="website" autocomplete="off" tabIndex={-1} />
      </p>
      <p>
        By joining, you agree to the <a href="/code-of-conduct">code of conduct</a>.
      </p>
    </Form>
  );
}

export const joiningPage = (title: string, body: ComponentChildren, typed?: Typed): OwnPage =>
  narrowPage({ title, path: SIGN_UP, body, typed });

const ENDS = {
  used: "was used already",
  revoked: "was revoked",
  expired: `is older than ${invitations.INVITATION_DAYS} days`,
};

export const helper = (contact: string) => (contact === "" ? "an admin" : contact);

function deadPage({ site: { settings } }: FormVisit, why: string): OwnPage {
  const { contact_email: contact } = settings;
  const page = joiningPage(
    "This invitation doesn’t work",
    <>
      <p class="lead">
        This invitation {why}. Ask the person who sent it, or {helper(contact)}, for another one.
      </p>
      {wayIn(settings, undefined) !== undefined && (
        <p>
          Or <a href={SIGN_UP}>join without one</a>.
        </p>
      )}
    </>,
  );
  return { ...page, status: 404 };
}

export function closedPage({ site: { settings } }: FormVisit): OwnPage {
  const { registration, member_invitations, contact_email: contact } = settings;
  const isClosed = registration === "closed";
  return joiningPage(
    isClosed ? "Nobody can join at present" : "Joining needs an invitation",
    <p class="lead">
      {isClosed
        ? "Only an invitation of an admin lets a person in."
        : `Ask ${helper(contact)}${member_invitations > 0 ? ` or a member of ${settings.community_name}` : ""} for one.`}
    </p>,
  );
}
