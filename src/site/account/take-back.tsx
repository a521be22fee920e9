import { FORMER_ADDRESS, RESET } from "../../paths.ts";
import * as addresses from "../../users/addresses.ts";
import * as factors from "../../users/second-factor.ts";
import { Form } from "../../web/forms.tsx";
import type { Forms, OwnPage } from "../forms.tsx";
import {
  deadLinkPage,
  LinkButton,
  linkPage,
  takenAddressPage,
  TokenParams,
  type TokenVisit,
} from "./narrow-page.tsx";
import { WhomToAsk } from "./help.tsx";

/** Undoes a change of an address, by the link that the old address has got. GET only shows a button. */
export function takeBackRoutes(forms: Forms): void {
  forms.open(`${FORMER_ADDRESS}/:token`, {
    fields: {},
    params: TokenParams,
    async show(visit) {
      const found = await find(visit);
      return found === undefined ? deadPage(visit) : buttonPage(visit, found);
    },
    async submit(visit) {
      const { params, services } = visit;
      const found = await find(visit);
      if (found === undefined) return deadPage(visit);
      const outcome = await addresses.takeBack(services.db.main, params.token, services.now());
      if (outcome === "dead") return deadPage(visit);
      return outcome === "done" ? donePage(visit, found) : takenPage(visit, found);
    },
  });
}

type Found = NonNullable<Awaited<ReturnType<typeof addresses.findTakeBack>>>;

const find = ({ params, services: { db, now } }: TokenVisit) =>
  addresses.findTakeBack(db.main, params.token, now());

const buttonPage = ({ params }: TokenVisit, { address, username }: Found): OwnPage =>
  linkPage({
    title: "Undo the change",
    body: (
      <>
        <p>
          <strong>{address}</strong> becomes the address of <strong>@{username}</strong> again, and all
          browsers are signed out.
        </p>
        <Form action={`${FORMER_ADDRESS}/${params.token}`} submit="Undo the change" />
      </>
    ),
  });

async function donePage(
  { site: { settings }, services }: TokenVisit,
  { address, username, userId }: Found,
): Promise<OwnPage> {
  const factor = await factors.find(services.db.main, userId);
  return linkPage({
    title: "The change is undone",
    body: (
      <>
        <p role="status">
          <strong>{address}</strong> is the address of @{username} again, and all browsers are signed out.
        </p>
        <p>
          Whoever changed it may know your password. Choose a new one now, and then look through your API
          keys.
        </p>
        {factor !== undefined && (
          <p>
            <WhomToAsk contact={settings.contact_email} /> for help if it wasn’t you who turned the second
            factor of the account on: signing in asks for its code.
          </p>
        )}
        <LinkButton to={RESET}>Choose a new password</LinkButton>
      </>
    ),
  });
}

const takenPage = ({ site: { settings } }: TokenVisit, { address }: Found): OwnPage =>
  takenAddressPage(
    <p class="lead">
      Another account has confirmed <strong>{address}</strong> meanwhile, so nothing was changed.{" "}
      <WhomToAsk contact={settings.contact_email} /> for help.
    </p>,
  );

const deadPage = ({ site: { settings } }: TokenVisit): OwnPage =>
  deadLinkPage(
    <p class="lead">
      A link that undoes the change of an address works once, for {addresses.TAKE_BACK_DAYS} days.{" "}
      <WhomToAsk contact={settings.contact_email} /> for help.
    </p>,
  );
