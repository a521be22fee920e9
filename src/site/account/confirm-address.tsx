import { Type } from "typebox";
import { notifyOfApplication as tellAdmins } from "../../notifications/notifications.ts";
import { CONFIRM, HOME, SIGN_UP, SIGN_UP_SENT, withQuery } from "../../paths.ts";
import { confirm } from "../../users/joining.ts";
import { CONFIRM_HOURS, findByLink } from "../../users/sign-ups.ts";
import { Form, type Typed } from "../../web/forms.tsx";
import type { Forms, FormVisit, OwnPage } from "../forms.tsx";
import { closedPage, joiningPage } from "./joining.tsx";
import { beginSession } from "./signing-in.tsx";

const Params = Type.Object({ token: Type.String({ maxLength: 200 }) });

/** Where links in mails lead, which prove that an address is its user's. GET only shows a button: scanners follow links. */
export function confirmAddressRoutes(forms: Forms): void {
  forms.open(`${CONFIRM}/:token`, {
    fields: {},
    params: Params,
    async show(visit, typed) {
      const { services, params, viewer } = visit;
      const { db, now } = services;
      const signUp = await findByLink(db.main, params.token, now());
      if (signUp !== undefined) return buttonPage(params.token, signUp.email, typed);
      return viewer === undefined ? deadPage() : { to: HOME };
    },
    submit: finishSignUp,
  });
}

async function finishSignUp(visit: FormVisit<object, { token: string }>) {
  const { services, params } = visit;
  const { db, now } = services;
  const joined = await confirm(db.main, { ...params, tellAdmins }, now());
  if (joined === undefined) return visit.viewer === undefined ? deadPage() : { to: HOME };
  if (joined === "closed") return { ...closedPage(visit), hasSecretAddress: true, status: 403 };
  if ("page" in joined) return { to: withQuery(SIGN_UP_SENT, joined) };
  return beginSession(visit, { userId: joined.userId, to: joined.next });
}

const buttonPage = (token: string, address: string, typed: Typed): OwnPage => ({
  ...joiningPage(
    "Confirm your address",
    typed.faults.length > 0 ? (
      <p>
        <a href="/signin">Sign in</a> if you have an account, or <a href={SIGN_UP}>sign up once more</a>.
      </p>
    ) : (
      <>
        <p class="lead">{address} is yours, and you want to join.</p>
        <Form action={`${CONFIRM}/${token}`} typed={typed} fields={{}} submit="Confirm and join" />
      </>
    ),
    typed,
  ),
  hasSecretAddress: true,
});

/** The same for a used, an expired and an unknown one. */
const deadPage = (): OwnPage => ({
  ...joiningPage(
    "This link doesn’t work",
    <>
      <p class="lead">
        A link that confirms an address works once, within {CONFIRM_HOURS} hours, and until another mail
        brings a newer one.
      </p>
      <p>
        If you have confirmed already, <a href="/signin">sign in</a>. If not, the page that you saw after you
        had signed up sends another mail; or <a href={SIGN_UP}>sign up once more</a>.
      </p>
    </>,
  ),
  hasSecretAddress: true,
  status: 404,
});
