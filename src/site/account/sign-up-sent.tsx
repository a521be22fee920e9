import { type Static, Type } from "typebox";
import { SIGN_UP, SIGN_UP_SENT as SENT, withQuery } from "../../paths.ts";
import { sendAgain } from "../../users/joining.ts";
import { CONFIRM_HOURS, findByPage } from "../../users/sign-ups.ts";
import { Form, type Typed } from "../../web/forms.tsx";
import type { Forms, FormVisit, OwnPage } from "../forms.tsx";
import { EMAIL } from "./own-fields.ts";
import { helper, joiningPage } from "./joining.tsx";

const FIELDS = { email: { ...EMAIL, hint: "Correct it if it is wrong." } } as const;

const Query = Type.Object({ page: Type.Optional(Type.String({ maxLength: 200, "x-any-text": true })) });

/** The page between a sign-up and the link in its mail, or the decision of an admin. */
export function sentRoutes(forms: Forms): void {
  forms.open(SENT, {
    fields: FIELDS,
    querystring: Query,
    show: sentPage,
    async submit({ services: { config, db, now }, request }, { values }) {
      const { page = "", email = "" } = values;
      const address = config.rateLimits ? request.ip : undefined;
      if (config.mail !== undefined) await sendAgain(db.main, { page, email, address }, now());
      return { to: withQuery(SENT, { page }) };
    },
  });
}

async function sentPage(visit: FormVisit<Static<typeof Query>>, typed: Typed): Promise<OwnPage> {
  const { services, query, site } = visit;
  const { config, db, now } = services;
  const token = typed.values["page"] ?? query.page ?? "";
  const signUp = await findByPage(db.main, token, now());
  const contact = helper(site.settings.contact_email);
  const shown = { path: SENT, hasSecretAddress: true };
  if (signUp?.state === "declined") return { ...declinedPage(signUp.reason), ...shown };
  // Mail may have been turned off meanwhile: then no link will come.
  const isMailed = signUp === undefined ? config.mail !== undefined : signUp.state === "unconfirmed";
  const email = config.mail === undefined ? undefined : signUp?.email;
  return { ...(isMailed ? mailPage({ typed, token, email, contact }) : waitingPage(contact)), ...shown };
}

interface MailPage {
  typed: Typed;
  token: string;
  /** Undefined for a sign-up that isn't there. */
  email: string | undefined;
  contact: string;
}

function mailPage({ typed, token, email, contact }: MailPage): OwnPage {
  return joiningPage(
    "Check your e-mail",
    <>
      <p class="lead">
        We have sent a mail to <strong>{email ?? "your address"}</strong>; its link finishes it.
      </p>
      <p>
        The link works for {CONFIRM_HOURS} hours. If nothing comes within some minutes, look into the folder
        for unwanted mails, or ask {contact}.
      </p>
      {email === undefined ? (
        <p>
          Or <a href={SIGN_UP}>sign up once more</a>.
        </p>
      ) : (
        <Form
          action={SENT}
          typed={{ ...typed, values: { email, ...typed.values } }}
          fields={FIELDS}
          submit="Send it again"
          hidden={{ page: token }}
        />
      )}
    </>,
    typed,
  );
}

const waitingPage = (contact: string): OwnPage =>
  joiningPage(
    "An admin will look at it",
    <p class="lead">
      Once you are let in, you can <a href="/signin">sign in</a> with your username and password. If you hear
      nothing, ask {contact}.
    </p>,
  );

const declinedPage = (reason: string): OwnPage =>
  joiningPage(
    "Your application is declined",
    <>
      {reason !== "" && (
        <p class="lead" dir="auto">
          {reason}
        </p>
      )}
      <p>
        You may <a href={SIGN_UP}>apply again</a> a day after it.
      </p>
    </>,
  );
