import type { ComponentChildren } from "preact";
import { type Static, Type } from "typebox";
import { invalid } from "../../platform/errors.ts";
import {
  FOLLOWING_TAB,
  HOME,
  INVITE,
  SIGN_UP,
  signInPath,
  USERNAME_CHECK,
  withQuery,
  ownPath,
} from "../../platform/paths.ts";
import { notifyOfApplication as tellAdmins } from "../../community/notifications/notifications.ts";
import { CONFIRM_HOURS } from "../../community/users/addresses.ts";
import * as invitations from "../../community/users/invitations.ts";
import {
  type Admission,
  admission,
  askForLink,
  beginsWithAddress,
  findAdmission,
  isLinkOf,
  MAX_REASON,
  signUp,
} from "../../community/users/joining.ts";
import { Form, type FormFields, type Typed } from "../kit/forms.tsx";
import { type Forms, type FormVisit, type OwnPage } from "../forms.tsx";
import {
  deadLinkPage,
  EMAIL,
  NAME,
  narrowPage,
  NEW_PASSWORD,
  TokenParams,
  type TokenVisit,
} from "./parts.tsx";
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

const ADDRESS = { email: { ...EMAIL, hint: "We send a link there. The address is shown to nobody else." } };

const Query = Type.Object({
  ...NextQuery.properties,
  done: Type.Optional(Type.Enum(["sent", "applied"])),
  email: Type.Optional(Type.String({ maxLength: 254, "x-any-text": true })),
});

export function joinRoutes(forms: Forms): void {
  forms.open(SIGN_UP, {
    fields: { ...FIELDS, reason: REASON },
    querystring: Query,
    async show(visit, typed) {
      const { next = "", done } = visit.query;
      if (visit.viewer !== undefined) return { to: HOME };
      if (done !== undefined && typed.faults.length === 0) return donePage(visit, done);
      return joinPage(visit, { ...typed, values: { next, ...typed.values } });
    },
    async submit(visit, { values }) {
      const { services, request, viewer, site } = visit;
      const { config, db } = services;
      const now = services.now();
      if (viewer !== undefined) return { to: HOME };
      if (isOfProgram(values, now)) throw invalid(TOO_SOON);
      const { invitation, link, email = "" } = values;
      const next = ownPath(values["next"]);
      const hasMail = config.mail !== undefined;
      const isProven = link !== undefined && (await isLinkOf(db.main, { link, email }, now));
      if (link !== undefined && !isProven) return deadLink();
      const admitted = await findAdmission(db.main, invitation, now);
      if (admitted === undefined) return { ...closedPage(visit), status: 403 };
      const asking = { values, address: request.ip, isLimited: config.rateLimits };
      if (beginsWithAddress(admitted, { hasMail, link })) {
        await askForLink(db.main, { ...asking, next }, now);
        return { to: withQuery(SIGN_UP, { done: "sent" }) };
      }
      const { community_name: communityName } = site.settings;
      const given = { ...asking, ...admitted, communityName, isProven, hasMail, tellAdmins };
      const joined = await signUp(db.main, given, now);
      if (joined === undefined) return { ...closedPage(visit), status: 403 };
      if (joined === "applied") return { to: withQuery(SIGN_UP, { done: "applied" }) };
      return beginSession(visit, { userId: joined.userId, to: next === HOME ? FOLLOWING_TAB : next });
    },
  });
  linkRoute(forms, SIGN_UP, "link");
  linkRoute(forms, INVITE, "invitation");
}

/** The page to which a link leads. Its form goes to the page above. */
function linkRoute(forms: Forms, path: string, name: "link" | "invitation"): void {
  const page = async (visit: TokenVisit<Static<typeof Query>>, typed: Typed): Promise<OwnPage> => {
    const values = { ...visit.query, [name]: visit.params.token };
    return { ...(await joinPage(visit, { ...typed, values })), hasSecretAddress: true };
  };
  forms.open(`${path}/:token`, {
    fields: {},
    params: TokenParams,
    querystring: Query,
    show: async (visit, typed) => (visit.viewer === undefined ? page(visit, typed) : { to: HOME }),
    submit: (visit) => page(visit, { values: {}, faults: [] }),
  });
}

const TOO_SOON =
  "The form came back within 2 seconds, or with a field that people don't see: wait a moment, and send it again";

/** Programs fill in each field, or send the form at once. One that fakes the time passes; limits stop it. */
function isOfProgram({ website, shown }: Record<string, string>, now: Date): boolean {
  const age = /^\d{1,15}$/.test(shown ?? "") ? now.getTime() - Number(shown) : 0;
  return (website ?? "") !== "" || age < LEAST_MS;
}

async function joinPage(visit: FormVisit, typed: Typed): Promise<OwnPage> {
  const { config, db, now } = visit.services;
  const { invitation: token, link, email = "", next, shown = String(now().getTime()) } = typed.values;
  const invitation = token === undefined ? undefined : await invitations.find(db.main, token, now());
  if (token !== undefined && invitation === undefined) return deadPage(visit, "is unknown");
  if (invitation?.end) return deadPage(visit, ENDS[invitation.end]);
  if (link !== undefined && !(await isLinkOf(db.main, { link, email }, now()))) return deadLink();
  const makes = admission(visit.site.settings, invitation);
  if (makes === undefined)
    return invitation === undefined ? closedPage(visit) : deadPage(visit, "doesn’t count any more");
  const asksAddress = beginsWithAddress({ makes, invitation }, { hasMail: config.mail !== undefined, link });
  return joiningPage(
    `Join ${visit.site.settings.community_name}`,
    <>
      {invitation !== undefined && (
        <p class="lead" dir="auto">
          {invitation.inviter} invites you. {invitation.note}
        </p>
      )}
      {link !== undefined && (
        <p>
          Your address is <strong>{email}</strong>.
        </p>
      )}
      <Form
        action={SIGN_UP}
        typed={{ ...typed, values: { email: invitation?.address ?? "", ...typed.values } }}
        fields={asksAddress ? ADDRESS : fieldsOf(makes, typed)}
        submit={asksAddress ? "Send me a link" : makes === "application" ? "Ask to join" : "Join"}
        hidden={{ next, shown, invitation: token, ...(link !== undefined && { link, email }) }}
      >
        <p hidden>
          <label for="website">Leave this empty</label>
          <input id="website" name="website" autocomplete="off" tabIndex={-1} />
        </p>
        <p>
          By joining, you agree to the <a href="/code-of-conduct">code of conduct</a>.
        </p>
      </Form>
      <p class="spaced muted">
        You have an account? <a href={signInPath(next || undefined)}>Sign in</a>
      </p>
    </>,
    typed,
  );
}

function fieldsOf(makes: Admission, { values: { invitation, link } }: Typed): FormFields {
  const { name, username, email, password } = FIELDS;
  const check = withQuery(USERNAME_CHECK, invitation === undefined ? {} : { invitation });
  return {
    name,
    username: { ...username, check },
    ...(link === undefined && { email }),
    password,
    ...(makes === "application" && { reason: REASON }),
  };
}

/** The same for each address, whether a user has it or not. */
function donePage({ site: { settings } }: FormVisit, done: "sent" | "applied"): OwnPage {
  const contact = helper(settings.contact_email);
  if (done === "applied")
    return joiningPage(
      "An admin will look at it",
      <p class="lead">
        Once you are let in, you can <a href="/signin">sign in</a> with your username and password. If you
        hear nothing, ask {contact}.
      </p>,
    );
  return joiningPage(
    "Check your email",
    <>
      <p class="lead">We sent a link to your address. Open it to finish signing up.</p>
      <p>
        The link works for {CONFIRM_HOURS} hours. If nothing comes within some minutes, check your spam
        folder, <a href={SIGN_UP}>give the address once more</a>, or ask {contact}.
      </p>
    </>,
  );
}

const deadLink = (): OwnPage =>
  deadLinkPage(
    <>
      <p class="lead">
        A link to sign up works for {CONFIRM_HOURS} hours, and until an account has the address.
      </p>
      <p>
        If you have joined already, <a href="/signin">sign in</a>. If not,{" "}
        <a href={SIGN_UP}>sign up once more</a>.
      </p>
    </>,
  );

const joiningPage = (title: string, body: ComponentChildren, typed?: Typed): OwnPage =>
  narrowPage({ title, path: SIGN_UP, body, typed });

const ENDS = {
  used: "was used already",
  revoked: "was revoked",
  expired: `is older than ${invitations.INVITATION_DAYS} days`,
};

const helper = (contact: string) => (contact === "" ? "an admin" : contact);

function deadPage({ site: { settings } }: FormVisit, why: string): OwnPage {
  const { contact_email: contact } = settings;
  const page = joiningPage(
    "This invitation doesn’t work",
    <>
      <p class="lead">
        This invitation {why}. Ask the person who sent it, or {helper(contact)}, for another one.
      </p>
      {admission(settings) !== undefined && (
        <p>
          Or <a href={SIGN_UP}>join without one</a>.
        </p>
      )}
    </>,
  );
  return { ...page, status: 404 };
}

function closedPage({ site: { settings } }: FormVisit): OwnPage {
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
