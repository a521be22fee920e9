import * as choices from "../../mail/choices.ts";
import { CERTAIN_LABELS, KINDS, optionalKinds } from "../../mail/kinds.ts";
import * as passwords from "../../community/users/passwords.ts";
import { Form, type FormFields, type Typed } from "../kit/forms.tsx";
import { type Forms, type MemberVisit, type OwnPage, runUnseen } from "../forms.tsx";
import { MailFault } from "./address.tsx";
import { doneAt, settingsRoute } from "./settings.tsx";
import { NOTIFICATIONS, UNSUBSCRIBE } from "../../platform/paths.ts";
import { deadLinkPage, LinkButton, linkPage, TokenParams, type TokenVisit } from "./parts.tsx";

const PATH = "/settings/notifications";

const fieldsOf = (role: string): FormFields =>
  Object.fromEntries(
    optionalKinds(role === "admin").map((kind) => [
      kind,
      { label: `When ${KINDS[kind].label}`, kind: "checkbox" },
    ]),
  );

export function mailRoutes(forms: Forms): void {
  settingsRoute(forms, PATH, {
    fields: fieldsOf("admin"),
    body: mailsBody,
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
  /**
   * Turns off a kind of mail by a link in one. Programs of mail send the POST by themselves, from anywhere (RFC 8058):
   * the token alone counts, no session. GET changes nothing, because scanners of mails follow links.
   */
  forms.open(`${UNSUBSCRIBE}/:token`, {
    fields: {},
    params: TokenParams,
    show: async (visit) => page(visit, "asked"),
    submit: async (visit, { values }) => page(visit, values["undo"] === "1" ? "on" : "off"),
  });
}

async function mailsBody(visit: MemberVisit, typed: Typed) {
  const { session, services } = visit;
  const off = await choices.turnedOff(services.db.main, session.id);
  const stored = Object.fromEntries(
    optionalKinds(session.role === "admin").map((kind) => [kind, off.has(kind) ? "" : "1"]),
  );
  return (
    <>
      {await whereTo(visit)}
      {services.config.mail !== undefined && (
        <>
          <p>You always get one when</p>
          <ul>
            {CERTAIN_LABELS.map((label) => (
              <li>{label}</li>
            ))}
          </ul>
          <h2>Emails that you may turn off and on</h2>
          <Form
            action={PATH}
            typed={{ ...typed, values: { ...stored, ...typed.values } }}
            fields={fieldsOf(session.role)}
            submit="Save"
          />
        </>
      )}
    </>
  );
}

async function whereTo(visit: MemberVisit) {
  const { db, config } = visit.services;
  const owner = await passwords.findOwner(db.main, visit.session.id);
  const why = config.mail === undefined ? "This site sends no emails." : "You have no e-mail address here.";
  if (config.mail === undefined || !owner?.email)
    return (
      <p>
        {why} Notices about your account are among your <a href={NOTIFICATIONS}>notifications</a>.
      </p>
    );
  return (
    <>
      <p>
        Emails go to <strong>{owner.email}</strong>.
      </p>
      {await MailFault({ visit })}
    </>
  );
}

async function page(
  { params: { token }, services: { db, now } }: TokenVisit,
  state: "asked" | "off" | "on",
): Promise<OwnPage> {
  const choice = await choices.findLink(db.main, token, now());
  if (choice === undefined) return unknownPage();
  if (state !== "asked") await choices.turn(db.main, choice, state === "on");
  const { label } = KINDS[choice.kind];
  const sentence = {
    asked: `You get an email when ${label}.`,
    off: `You get no email any more when ${label}.`,
    on: `You get an email again when ${label}.`,
  }[state];
  return linkPage({
    title: "Emails from this site",
    body: (
      <>
        <p role={state === "asked" ? undefined : "status"}>{sentence}</p>
        <Form
          action={`${UNSUBSCRIBE}/${token}`}
          hidden={{ undo: state === "off" ? "1" : undefined }}
          submit={state === "off" ? "Turn them on again" : "Turn these emails off"}
        />
      </>
    ),
  });
}

const unknownPage = (): OwnPage =>
  deadLinkPage(
    <>
      <p class="lead">
        It is incomplete, a year old, or from before an update of this site. To get no more of these emails,
        sign in and turn them off in your settings.
      </p>
      <LinkButton to="/settings/notifications">Choose your emails</LinkButton>
    </>,
  );
