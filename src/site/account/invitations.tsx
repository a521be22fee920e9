import { userOf } from "../../http/actor.ts";
import { createErrors, idIn, readFields } from "../../platform/fields/fields.ts";
import { INVITE, profilePath } from "../../platform/paths.ts";
import { count } from "../../platform/text/sentences.ts";
import { enqueueLimited, noteRequest } from "../../community/users/sign-in-failures.ts";
import { PROFILE, storedText, textField } from "../../community/users/fields.ts";
import * as invitations from "../../community/users/invitations.ts";
import { Day } from "../kit/components.tsx";
import { Form, type FormFields, type Typed } from "../kit/forms.tsx";
import { type Forms, type MemberVisit, type OwnPage, runUnseen } from "../forms.tsx";
import { LinkButton } from "./parts.tsx";
import { doneAt, EndableRows, settingsPage, settingsRoute } from "./settings.tsx";

const PATH = "/settings/invitations";

const FIELDS = {
  email: {
    label: "For which e-mail address?",
    kind: "email",
    autocomplete: "off",
    inputmode: "email",
    maxLength: 254,
    hint: "Empty: anyone who has the link.",
  },
  note: { label: "A word to them", maxLength: 300 },
} as const satisfies FormFields;

export function invitationRoutes(forms: Forms): void {
  settingsRoute(forms, PATH, {
    fields: FIELDS,
    body: invitationsBody,
    async submit(visit, { values }) {
      const { services, session } = visit;
      const now = services.now();
      if (values["revoke"] !== undefined) {
        const which = { id: idIn(values["revoke"]) ?? 0, inviterId: session.id };
        return runUnseen(visit, (tx) => invitations.revoke(tx, which, now), {
          to: doneAt(PATH, "invitation_revoked"),
        });
      }
      return invite(visit, values);
    },
  });
}

/** Emails the link to the invited address where mail is set up; else the page shows it once. */
async function invite(visit: MemberVisit, values: Record<string, string>): Promise<undefined> {
  const { request, services, site } = visit;
  const { db, config } = services;
  const errors = createErrors();
  const { email: address = null, note = "" } = readFields(
    { email: PROFILE.email, note: NOTE },
    values,
    errors,
  );
  errors.throwIfAny();
  const isMailed = config.mail !== undefined && address !== null;
  const now = services.now();
  if (isMailed)
    await noteRequest(db.main, { to: address, address: config.rateLimits ? request.ip : undefined }, now);
  return runUnseen(
    visit,
    async (tx, actor) => {
      const invitation = { inviter: userOf(actor), address, note: note ?? "" };
      const { id, token } = await invitations.create(tx, invitation, { settings: site.settings, now });
      if (isMailed)
        await enqueueLimited(
          tx,
          { kind: "invitation", address, to: address, about: { invitation_id: id } },
          now,
        );
      return token;
    },
    isMailed
      ? { to: doneAt(PATH, "invited") }
      : { to: doneAt(PATH, "link"), end: (token: string) => shownOnce(`${site.baseUrl}${INVITE}/${token}`) },
  );
}

/** A mail program makes a link of an address, whoever wrote it. */
const NOTE = textField(300, (text, report) =>
  /:\/\/|www\./i.test(text) ? report("can't have a link") : storedText(text),
);

function shownOnce(link: string): OwnPage {
  return settingsPage({
    path: PATH,
    isSecret: true,
    body: (
      <>
        <p>
          Send this link to whom you invite. It works for {invitations.INVITATION_DAYS} days, and is shown
          only once:
        </p>
        <pre>
          <code>{link}</code>
        </pre>
        <LinkButton to={PATH}>Done</LinkButton>
      </>
    ),
  });
}

async function invitationsBody(visit: MemberVisit, typed: Typed) {
  const { services, session, site } = visit;
  const now = services.now();
  const all = await invitations.list(services.db.main, session.id, now);
  const left = await invitations.countLeft(services.db.main, session, site.settings, now);
  return (
    <>
      {all.length === 0 ? (
        <p>You have invited nobody yet.</p>
      ) : (
        <EndableRows path={PATH} typed={typed} rows={all} row={(each) => invitationRow(each, site.now)} />
      )}
      <h2>New invitation</h2>
      {left === 0 ? (
        <p>{whyNot(visit)}</p>
      ) : (
        <>
          {left !== undefined && <p>Invitations that you have left: {left}.</p>}
          <Form action={PATH} typed={typed} fields={FIELDS} submit="Make a link" />
        </>
      )}
    </>
  );
}

function whyNot({ site: { settings } }: MemberVisit): string {
  const { registration, member_invitations: most } = settings;
  if (registration === "closed") return "Registration is closed: only admins invite.";
  return most === 0
    ? "Only admins invite here."
    : `You have made ${count(most, "invitation")}, the most that a member may.`;
}

type Row = Awaited<ReturnType<typeof invitations.list>>[number];

function invitationRow({ id, address, note, end, expires_at, usernames }: Row, now: Date) {
  return (
    <>
      <p dir="auto">
        <strong>{address ?? "Anyone who has the link"}</strong> {note}
      </p>
      <p class="meta">
        <span>{end ?? "not used yet"}</span>
        <span>
          until <Day date={expires_at} now={now} />
        </span>
        {usernames.map((username) => (
          <a href={profilePath(username)}>@{username}</a>
        ))}
      </p>
      {end === null && (
        <button class="button" name="revoke" value={id}>
          Revoke
        </button>
      )}
    </>
  );
}
