import { invalid } from "../../errors.ts";
import { signInPath, TWO_FACTOR_PAGE } from "../../paths.ts";
import * as factors from "../../users/second-factor.ts";
import * as sessions from "../../users/sessions.ts";
import { Form, type FormFields, type Typed } from "../../web/forms.tsx";
import { type Forms, type FormVisit, type OwnPage, ownPath } from "../forms.tsx";
import { narrowPage } from "./narrow-page.tsx";
import { HelpWithSigningIn, helpOn, WhomToAsk } from "./help.tsx";
import { doneAt } from "./settings.tsx";
import { beginSession, CODE_PAGE, NextQuery } from "./signing-in.tsx";

const FIELDS = {
  code: {
    label: "Code",
    autocomplete: "one-time-code",
    maxLength: 100,
    required: true,
    hint: "The 6 digits that your app shows, or one of your recovery codes.",
  },
} as const satisfies FormFields;

/** Where a sign-in waits for the second factor. */
export function codeRoutes(forms: Forms): void {
  forms.open(CODE_PAGE, {
    fields: FIELDS,
    querystring: NextQuery,
    async show(visit, typed) {
      const next = typed.values["next"] ?? visit.query.next;
      if (visit.session !== undefined) return { to: ownPath(next) };
      const isWaiting = (await unfinishedOf(visit)) !== undefined;
      if (!isWaiting && typed.faults.length === 0) return { to: signInPath(next) };
      return codePage(visit, typed, { next, isWaiting });
    },
    async submit(visit, { values }) {
      const { request, services, session } = visit;
      const { config, db, now } = services;
      const { code = "", next } = values;
      if (session !== undefined) return { to: ownPath(next) };
      const unfinished = await unfinishedOf(visit);
      if (unfinished === undefined) throw invalid("A code is taken for 10 minutes: sign in again");
      const given = { code, address: request.ip, isLimited: config.rateLimits };
      const { codesLeft } = await factors.finishSignIn(db.main, unfinished, given, now());
      const to = codesLeft === undefined ? ownPath(next) : doneAt(TWO_FACTOR_PAGE, "recovered");
      const { userId, isByLink, passwordHash } = unfinished;
      return beginSession(visit, { userId, isByLink, passwordHash, to, isFinished: true });
    },
  });
}

async function unfinishedOf({ request, services }: FormVisit): Promise<sessions.Unfinished | undefined> {
  const token = request.server.sessionCookie.tokenIn(request.headers) ?? "";
  return sessions.findUnfinished(services.db.main, token, services.now());
}

interface Step {
  /** Where the reader goes then. */
  next: string | undefined;
  isWaiting: boolean;
}

function codePage({ site, services }: FormVisit, typed: Typed, { next, isWaiting }: Step): OwnPage {
  const help = helpOn(site, services);
  return narrowPage({
    title: "Enter your code",
    path: CODE_PAGE,
    typed,
    body: (
      <>
        {isWaiting && (
          <Form action={CODE_PAGE} typed={typed} fields={FIELDS} submit="Go on" hidden={{ next }} />
        )}
        <p class="spaced">
          <a class={isWaiting ? undefined : "button strong"} href={signInPath(next)}>
            Sign in again
          </a>
        </p>
        <p class="spaced muted">
          Neither the app nor a recovery code? <WhomToAsk {...help} /> to turn your second factor off.
        </p>
        <HelpWithSigningIn {...help} />
      </>
    ),
  });
}
