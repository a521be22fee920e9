import { FieldsError, notFound } from "../../platform/errors.ts";
import { readField } from "../../platform/fields/fields.ts";
import { lastTo } from "../../mail/queue.ts";
import { ACCOUNT as PATH } from "../../platform/paths.ts";
import { formatMoment } from "../../platform/text/dates.ts";
import * as addresses from "../../community/users/addresses.ts";
import { EMAIL } from "../../community/users/names.ts";
import { noteRequest } from "../../community/users/sign-in-failures.ts";
import { Form, FormToken, type Typed } from "../kit/forms.tsx";
import { type Forms, type MemberVisit, runUnseen } from "../forms.tsx";
import { EMAIL as EMAIL_FIELD, LinkButton, WhomToAsk } from "./parts.tsx";
import { doneAt, settingsRoute } from "./settings.tsx";

const FIELDS = { email: { ...EMAIL_FIELD, label: "New e-mail address" } } as const;

const ACT = "act";

export function addressRoutes(forms: Forms): void {
  settingsRoute(forms, PATH, {
    fields: FIELDS,
    access: ({ [ACT]: act }) => (act === "cancel" || act === "again" ? undefined : "recent"),
    body: accountBody,
    async submit(visit, { values }) {
      const { [ACT]: act = "change", email = "" } = values;
      const found = await addresses.find(visit.services.db.main, visit.session.id);
      const { id } = visit.session;
      if (act === "cancel")
        return runUnseen(visit, (tx) => addresses.cancel(tx, id), { to: doneAt(PATH, "address_cancelled") });
      if (act === "again" && found.waiting !== null) return give(visit, found.waiting);
      if (act !== "change" && act !== "remove") throw notFound();
      if (act === "remove")
        return runUnseen(visit, (tx, actor) => addresses.remove(tx, id, actor.now()), {
          to: doneAt(PATH, "address_removed"),
        });
      const address = readField(EMAIL, email, "email", FIELDS.email.label);
      if (address === found.confirmed)
        throw new FieldsError({ email: ["is your address already"] }, "The address is yours already");
      return give(visit, address);
    },
  });
}

/** The answer is the same whether or not another account has the address. */
async function give(visit: MemberVisit, address: string): Promise<undefined> {
  const { request, services, session } = visit;
  const { config, db } = services;
  const now = services.now();
  const given = { userId: session.id, address };
  const hasMail = config.mail !== undefined;
  const asker = config.rateLimits ? request.ip : undefined;
  if (hasMail) await noteRequest(db.main, { to: address, address: asker }, now);
  const store = hasMail ? addresses.askToConfirm : addresses.wait;
  return runUnseen(visit, (tx) => store(tx, given, now), {
    to: doneAt(PATH, hasMail ? "address_sent" : "address_noted"),
  });
}

async function accountBody(visit: MemberVisit, typed: Typed) {
  const { services, session, viewer, passwordPath } = visit;
  const found = await addresses.find(services.db.main, session.id);
  return (
    <>
      <h2>Username</h2>
      <p>
        <strong>@{viewer.username}</strong>. It stays, because the addresses of what you write begin with it.
      </p>
      <h2>E-mail address</h2>
      <p>
        Other members never see it. Once it is confirmed, it signs you in as your username does, and emails
        about your account go to it.
      </p>
      {await Confirmed({ visit, typed, ...found })}
      {found.waiting !== null && (await Waiting({ visit, typed, ...found, waiting: found.waiting }))}
      <h2>{found.confirmed === null ? "Give an address" : "Change the address"}</h2>
      <HowItGoes visit={visit} isFirst={found.confirmed === null} />
      {passwordPath === undefined ? (
        <Form action={PATH} typed={typed} fields={FIELDS} submit="Save" />
      ) : (
        <LinkButton to={passwordPath}>Give your password first</LinkButton>
      )}
    </>
  );
}

type State = Awaited<ReturnType<typeof addresses.find>> & { visit: MemberVisit; typed: Typed };

async function Confirmed({ visit, typed, confirmed, waiting }: State) {
  const warning = "only your username signs you in, and no email helps you if you forget your password";
  // An unconfirmed address that no other account has given signs in too.
  if (confirmed === null) return <p>You have no confirmed address{waiting === null && `: ${warning}`}.</p>;
  return (
    <>
      <p>
        <strong>{confirmed}</strong> is confirmed.
      </p>
      {await MailFault({ visit })}
      <form method="post" action={PATH}>
        <FormToken typed={typed} />
        <p>Without an address, {warning}.</p>
        <p class="spaced">
          <button class="button" name={ACT} value="remove">
            Remove the address
          </button>
        </p>
      </form>
    </>
  );
}

async function Waiting({ visit, typed, confirmed, waiting, until }: State & { waiting: string }) {
  const { services, site } = visit;
  const hasMail = services.config.mail !== undefined;
  const works = until !== null && until > site.now;
  return (
    <>
      <p>
        <strong>{waiting}</strong> is not confirmed{confirmed !== null && ", and signs nobody in"}.
        {hasMail && works && ` Open the link in the email to it, which works until ${formatMoment(until)}.`}
        {hasMail && !works && " The link in the last email to it has expired."}
      </p>
      {await MailFault({ visit, address: waiting })}
      <form method="post" action={PATH}>
        <FormToken typed={typed} />
        <p class="spaced">
          {hasMail && (
            <button class="button strong" name={ACT} value="again">
              Send the email again
            </button>
          )}{" "}
          <button class="button" name={ACT} value="cancel">
            Forget this address
          </button>
        </p>
      </form>
    </>
  );
}

export async function MailFault({ visit, address }: { visit: MemberVisit; address?: string }) {
  const { db, config } = visit.services;
  if (config.mail === undefined) return null;
  const last = await lastTo(db.main, visit.session.id, address);
  if (last?.state !== "failed") return null;
  return <p class="fault">The last email to it couldn’t be delivered: {last.reply}</p>;
}

function HowItGoes({ visit: { services, site }, isFirst }: { visit: MemberVisit; isFirst: boolean }) {
  if (services.config.mail === undefined)
    return (
      <p>
        This site sends no emails, so it can’t confirm a new address: it is stored as unconfirmed.{" "}
        <WhomToAsk contact={site.settings.contact_email} /> for help with signing in.
      </p>
    );
  return (
    <p>
      The new address gets an email, and is yours once you open its link.
      {!isFirst && " The old one gets an email then."}
    </p>
  );
}
