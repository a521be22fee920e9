import type { Static } from "typebox";
import { TWO_FACTOR_PAGE as PATH } from "../../platform/paths.ts";
import { count } from "../../platform/text/sentences.ts";
import * as factors from "../../community/users/second-factor.ts";
import * as sessions from "../../community/users/sessions.ts";
import { Day } from "../kit/components.tsx";
import { Form, type FormFields, FormToken, type Typed } from "../kit/forms.tsx";
import { QrCode } from "../kit/qr-code.tsx";
import { type Forms, type MemberVisit, type OwnPage, runUnseen } from "../forms.tsx";
import { LinkButton } from "./parts.tsx";
import { doneAt, DoneQuery, settingsPage } from "./settings.tsx";

const FIELDS = {
  code: {
    label: "Code",
    autocomplete: "one-time-code",
    inputmode: "numeric",
    maxLength: 100,
    required: true,
    hint: "The 6 digits that the app shows now.",
  },
} as const satisfies FormFields;

const NEW_CODES = "new_codes";
const TURN_OFF = "turn_off";

export function twoFactorRoutes(forms: Forms): void {
  forms.session(PATH, {
    fields: FIELDS,
    access: "recent",
    querystring: DoneQuery,
    show: twoFactorPage,
    async submit(visit, { values }) {
      const { id: userId, sessionId } = visit.session;
      const now = visit.services.now();
      if (values[TURN_OFF] !== undefined)
        return runUnseen(visit, (tx) => factors.turnOff(tx, userId, now), { to: doneAt(PATH, "factor_off") });
      const { secret = "", code = "" } = values;
      return runUnseen(
        visit,
        async (tx) => {
          if (values[NEW_CODES] !== undefined) return factors.renewCodes(tx, userId, now);
          const made = await factors.turnOn(tx, { userId, secret, code }, now);
          if (made !== undefined) await sessions.endAll(tx, userId, sessionId);
          return made;
        },
        { to: doneAt(PATH, "factor"), end: (codes = []) => codesPage(codes), endsAccess: true },
      );
    },
  });
}

async function twoFactorPage(visit: MemberVisit<Static<typeof DoneQuery>>, typed: Typed): Promise<OwnPage> {
  const { services, session, query } = visit;
  const factor = await factors.find(services.db.main, session.id);
  const body =
    factor === undefined ? (
      <Off visit={visit} typed={typed} />
    ) : (
      <On {...factor} typed={typed} now={visit.site.now} />
    );
  return settingsPage({ path: PATH, typed, done: query, isSecret: true, body });
}

function Off({ visit, typed }: { visit: MemberVisit; typed: Typed }) {
  return (
    <>
      {visit.request.lacksFactor && (
        <p class="done">Your role requires a second factor: turn it on to go on.</p>
      )}
      <p>
        With a second factor, signing in takes your password and a code that an app on your phone or computer
        shows, so that a stolen password is not enough. Any app for such codes (TOTP) will do. API keys go on.
      </p>
      {visit.passwordPath === undefined ? (
        <Setup visit={visit} typed={typed} />
      ) : (
        <LinkButton to={visit.passwordPath}>Turn it on</LinkButton>
      )}
    </>
  );
}

/** The form brings its secret back: until a code has proved that an app has it, nothing is stored. */
function Setup({ visit: { site, viewer }, typed }: { visit: MemberVisit; typed: Typed }) {
  const secret = factors.secretFor(typed.values["secret"]);
  const names = { issuer: site.settings.community_name, label: viewer.username };
  const address = factors.addressOf(secret, names);
  return (
    <>
      <h2>Turn it on</h2>
      <p>
        Scan this with the app, <a href={address}>open the app on this device</a>, or type the secret into it.
      </p>
      <p>
        <QrCode text={address} label="The secret as a QR code" />
      </p>
      <pre>
        <code>{secret.match(/.{4}/g)?.join(" ")}</code>
      </pre>
      <Form action={PATH} typed={typed} fields={FIELDS} submit="Turn it on" hidden={{ secret }} />
    </>
  );
}

type OnProps = NonNullable<Awaited<ReturnType<typeof factors.find>>> & { typed: Typed; now: Date };

function On({ created_at, codes_left, typed, now }: OnProps) {
  return (
    <form method="post" action={PATH}>
      <FormToken typed={typed} />
      <p>
        The second factor is on since <Day date={created_at} now={now} />.
      </p>
      <p>
        {count(codes_left, "recovery code")} left. Each signs you in once, when you don’t have the app. New
        ones take the place of all.
        {codes_left <= factors.FEW_CODES && " Make new ones now, before none is left."}
      </p>
      <p class="spaced">
        <button class="button strong" name={NEW_CODES} value="1">
          Make new recovery codes
        </button>
      </p>
      <p class="spaced">
        <button class="button" name={TURN_OFF} value="1">
          Turn the second factor off
        </button>
      </p>
    </form>
  );
}

/** The only place where recovery codes are ever shown. */
function codesPage(codes: readonly string[]): OwnPage {
  return settingsPage({
    path: PATH,
    title: "Recovery codes – Settings",
    isSecret: true,
    body: (
      <>
        <p class="done" role="status">
          The second factor is on. These are your recovery codes, shown only once: store them now, apart from
          your password.
        </p>
        <p>Each signs you in once, when you don’t have the app.</p>
        <pre data-download="recovery-codes.txt">
          <code>{codes.join("\n")}</code>
        </pre>
        <p class="spaced no-print">
          <a class="button" href={PATH}>
            I have stored them
          </a>
        </p>
      </>
    ),
  });
}
