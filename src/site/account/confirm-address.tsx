import { notifyOfApplication as tellAdmins } from "../../notifications/notifications.ts";
import { ACCOUNT, CONFIRM, SIGN_UP, SIGN_UP_SENT, withQuery } from "../../paths.ts";
import * as addresses from "../../users/addresses.ts";
import { confirm } from "../../users/joining.ts";
import { CONFIRM_HOURS, findByLink, type Unconfirmed } from "../../users/sign-ups.ts";
import { Form, type Typed } from "../../web/forms.tsx";
import type { Forms, OwnPage } from "../forms.tsx";
import { closedPage } from "./joining.tsx";
import { deadLinkPage, LinkButton, linkPage, TokenParams, type TokenVisit } from "./narrow-page.tsx";
import { beginSession } from "./signing-in.tsx";

/**
 * Where links in mails lead, which prove that an address is its user's: of a sign-up, or of an account that changes its
 * address. GET only shows a button: scanners follow links. Needs no session: the mailbox counts.
 */
export function confirmAddressRoutes(forms: Forms): void {
  forms.open(`${CONFIRM}/:token`, {
    fields: {},
    params: TokenParams,
    async show(visit, typed) {
      const { services, params } = visit;
      const { db, now } = services;
      const signUp = await findByLink(db.main, params.token, now());
      if (signUp !== undefined) return buttonPage(params.token, signUp, typed);
      const change = await findChange(visit);
      if (change === undefined) return deadPage(visit);
      return change.holder === null ? changePage(visit, change) : takenPage(change);
    },
    async submit(visit) {
      const change = await findChange(visit);
      return change === undefined ? finishSignUp(visit) : finishChange(visit, change);
    },
  });
}

type Change = NonNullable<Awaited<ReturnType<typeof addresses.findByLink>>>;

const findChange = ({ params, services: { db, now } }: TokenVisit) =>
  addresses.findByLink(db.main, params.token, now());

async function finishSignUp(visit: TokenVisit) {
  const { services, params } = visit;
  const { db, now } = services;
  const joined = await confirm(db.main, { ...params, tellAdmins }, now());
  if (joined === undefined) return deadPage(visit);
  if (joined === "closed") return { ...closedPage(visit), hasSecretAddress: true, status: 403 };
  if ("page" in joined) return { to: withQuery(SIGN_UP_SENT, joined) };
  return beginSession(visit, { userId: joined.userId, to: joined.next });
}

async function finishChange(visit: TokenVisit, change: Change): Promise<OwnPage> {
  const { services, params } = visit;
  const outcome = await addresses.confirm(services.db.main, params.token, services.now());
  if (outcome === "dead") return deadPage(visit);
  return outcome === "done" ? donePage(change) : takenPage(change);
}

const TITLE = "Confirm your address";

const buttonPage = (token: string, { username, name, email }: Unconfirmed, typed: Typed): OwnPage =>
  linkPage({
    title: TITLE,
    typed,
    body:
      typed.faults.length > 0 ? (
        <p>
          <a href="/signin">Sign in</a> if you have an account, or <a href={SIGN_UP}>sign up once more</a>.
        </p>
      ) : (
        <>
          <p class="lead" dir="auto">
            {name} (@{username}) joins with the address {email}, and signs in with the password from the form.
          </p>
          <p>If you haven’t chosen this name, close this page: the account would be another person’s.</p>
          <Form action={`${CONFIRM}/${token}`} typed={typed} submit="Confirm and join" />
        </>
      ),
  });

const changePage = ({ params }: TokenVisit, { address, username }: Change): OwnPage =>
  linkPage({
    title: TITLE,
    body: (
      <>
        <p>
          <strong>{address}</strong> will be the address of <strong>@{username}</strong>: it signs that
          account in, and gets the mails about it. If that isn’t your account, close this page.
        </p>
        <Form action={`${CONFIRM}/${params.token}`} submit={`Confirm it for @${username}`} />
      </>
    ),
  });

const TO_ACCOUNT = <LinkButton to={ACCOUNT}>To your account</LinkButton>;

const donePage = ({ address, username }: Change): OwnPage =>
  linkPage({
    title: "The address is confirmed",
    body: (
      <>
        <p role="status">
          <strong>{address}</strong> is the address of @{username} now.
        </p>
        {TO_ACCOUNT}
      </>
    ),
  });

const takenPage = ({ address }: Change): OwnPage =>
  linkPage({
    title: "Another account has this address",
    status: 409,
    body: (
      <>
        <p class="lead">
          Another account has confirmed <strong>{address}</strong> meanwhile, so nothing was changed. If that
          account is yours too, remove the address there, and open this link again.
        </p>
        {TO_ACCOUNT}
      </>
    ),
  });

const deadPage = ({ viewer }: TokenVisit): OwnPage =>
  deadLinkPage(
    <>
      <p class="lead">
        A link that confirms an address works once, within {CONFIRM_HOURS} hours, and until another mail
        brings a newer one.
      </p>
      {viewer === undefined ? (
        <p>
          If you have confirmed already, <a href="/signin">sign in</a>. If you are joining, the page that you
          saw after you had signed up sends another mail; or <a href={SIGN_UP}>sign up once more</a>.
        </p>
      ) : (
        <>
          <p>Your account says whether its address is confirmed, and sends another mail.</p>
          {TO_ACCOUNT}
        </>
      )}
    </>,
  );
