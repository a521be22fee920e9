import * as choices from "../../mail/choices.ts";
import { CERTAIN_LABELS, KINDS, optionalKinds } from "../../mail/kinds.ts";
import { listNotices } from "../../notifications/notifications.ts";
import * as passwords from "../../users/passwords.ts";
import { Day } from "../../web/components.tsx";
import { Form, type FormFields, type Typed } from "../../web/forms.tsx";
import { type Forms, type MemberVisit, type OwnPage, runUnseen } from "../forms.tsx";
import { MailFault } from "./address.tsx";
import { doneAt, DoneQuery, settingsPage } from "./settings.tsx";

const PATH = "/settings/notifications";

const fieldsOf = (role: string): FormFields =>
  Object.fromEntries(
    optionalKinds(role === "admin").map((kind) => [
      kind,
      { label: `When ${KINDS[kind].label}`, kind: "checkbox" },
    ]),
  );

export function mailRoutes(forms: Forms): void {
  forms.member(PATH, {
    fields: fieldsOf("admin"),
    querystring: DoneQuery,
    show: mailsPage,
    submit(visit, { values }) {
      const { id: userId, role } = visit.session;
      return runUnseen(
        visit,
        async (tx) => {
          for (const kind of optionalKinds(role === "admin"))
            await choices.turn(tx, { userId, kind }, values[kind] === "1");
        },
        { to: doneAt(PATH, "saved") },
      );
    },
  });
}

async function mailsPage(visit: MemberVisit, typed: Typed): Promise<OwnPage> {
  const { session, services, query } = visit;
  const off = await choices.turnedOff(services.db.main, session.id);
  const stored = Object.fromEntries(
    optionalKinds(session.role === "admin").map((kind) => [kind, off.has(kind) ? "" : "1"]),
  );
  return settingsPage({
    path: PATH,
    typed,
    done: query,
    body: (
      <>
        {await whereTo(visit)}
        {await Notices(visit)}
        {services.config.mail !== undefined && (
          <>
            <p>You always get one when</p>
            <ul>
              {CERTAIN_LABELS.map((label) => (
                <li>{label}</li>
              ))}
            </ul>
            <h2>Mails that you may turn off</h2>
            <Form
              action={PATH}
              typed={{ ...typed, values: { ...stored, ...typed.values } }}
              fields={fieldsOf(session.role)}
              submit="Save"
            />
          </>
        )}
      </>
    ),
  });
}

/** Those of operators' acts, of applications, and those that no mail could bring. */
async function Notices({ services, session, site }: MemberVisit) {
  const notices = await listNotices(services.db.main, session.id);
  if (notices.length === 0) return null;
  return (
    <>
      <h2>Notices</h2>
      <ul class="rows">
        {notices.map(({ notice, created_at }) => (
          <li>
            <p>{notice}</p>
            <p class="meta">
              <Day date={created_at} now={site.now} />
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

async function whereTo(visit: MemberVisit) {
  const { db, config } = visit.services;
  const owner = await passwords.findOwner(db.main, visit.session.id);
  if (config.mail === undefined)
    return <p>This site sends no mails. Notices about your account appear on this page.</p>;
  if (!owner?.email)
    return <p>You have no e-mail address here, so notices about your account appear on this page.</p>;
  return (
    <>
      <p>
        Mails go to <strong>{owner.email}</strong>.
      </p>
      {await MailFault({ visit })}
    </>
  );
}
