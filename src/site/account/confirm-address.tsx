import { ACCOUNT, CONFIRM } from "../../platform/paths.ts";
import * as addresses from "../../community/users/addresses.ts";
import { Form } from "../kit/forms.tsx";
import type { Forms, OwnPage } from "../forms.tsx";
import { deadLinkPage, LinkButton, linkPage, TokenParams, type TokenVisit } from "./parts.tsx";

/**
 * Where links in emails lead that confirm the address of an account. GET only shows a button: scanners follow links. Needs
 * no session: the mailbox counts.
 */
export function confirmAddressRoutes(forms: Forms): void {
  forms.open(`${CONFIRM}/:token`, {
    fields: {},
    params: TokenParams,
    async show(visit) {
      const change = await findChange(visit);
      if (change === undefined) return deadPage(visit);
      return change.holder === null ? changePage(visit, change) : takenPage(change);
    },
    async submit(visit) {
      const change = await findChange(visit);
      return change === undefined ? deadPage(visit) : finishChange(visit, change);
    },
  });
}

type Change = NonNullable<Awaited<ReturnType<typeof addresses.findByLink>>>;

const findChange = ({ params, services: { db, now } }: TokenVisit) =>
  addresses.findByLink(db.main, params.token, now());

async function finishChange(visit: TokenVisit, change: Change): Promise<OwnPage> {
  const { services, params } = visit;
  const outcome = await addresses.confirm(
    services.db.main,
    { ...change, token: params.token },
    services.now(),
  );
  if (outcome === "dead") return deadPage(visit);
  return outcome === "done" ? donePage(change) : takenPage(change);
}

const changePage = ({ params }: TokenVisit, { address, username }: Change): OwnPage =>
  linkPage({
    title: "Confirm your address",
    body: (
      <>
        <p>
          <strong>{address}</strong> will be the address of <strong>@{username}</strong>: it signs that
          account in, and gets the emails about it. If that isn’t your account, close this page.
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
        A link that confirms an address works once, within {addresses.CONFIRM_HOURS} hours, and until another
        email brings a newer one.
      </p>
      {viewer === undefined ? (
        <p>
          <a href="/signin">Sign in</a>: your account says whether its address is confirmed, and sends another
          email.
        </p>
      ) : (
        <>
          <p>Your account says whether its address is confirmed, and sends another email.</p>
          {TO_ACCOUNT}
        </>
      )}
    </>,
  );
