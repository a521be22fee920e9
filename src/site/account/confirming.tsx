import { invalid } from "../../errors.ts";
import { CONFIRM_PASSWORD as PATH } from "../../paths.ts";
import * as sessions from "../../users/sessions.ts";
import { isOwnPassword, WRONG } from "../../users/sign-in.ts";
import { Form, type FormFields } from "../../web/forms.tsx";
import { type Forms, ownPath, runUnseen } from "../forms.tsx";
import { narrowPage } from "./narrow-page.tsx";
import { HelpWithSigningIn, helpOn } from "./help.tsx";
import { NextQuery } from "./signing-in.tsx";

const FIELDS = {
  password: { label: "Password", kind: "password", autocomplete: "current-password", required: true },
} as const satisfies FormFields;

/** Where a member gives the password once more, before acts that a borrowed browser should not allow. */
export function confirmRoutes(forms: Forms): void {
  forms.session(PATH, {
    fields: FIELDS,
    querystring: NextQuery,
    async show({ site, services, query }, typed) {
      const next = typed.values["next"] ?? query.next;
      return narrowPage({
        title: "Confirm your password",
        path: PATH,
        typed,
        body: (
          <>
            <p>
              This is asked for before changes of keys, sessions, the address and the second factor, for 15
              minutes at a time. A link that signs you in counts too.
            </p>
            <Form action={PATH} typed={typed} fields={FIELDS} submit="Confirm" hidden={{ next }} />
            <HelpWithSigningIn {...helpOn(site, services)} />
          </>
        ),
      });
    },
    async submit(visit, { values }) {
      const { request, services, session } = visit;
      const { db, now } = services;
      const given = { session, password: values["password"] ?? "", address: request.ip };
      if (!(await isOwnPassword(db.main, given, now()))) throw invalid(WRONG);
      const to = ownPath(values["next"]);
      return runUnseen(visit, (tx) => sessions.renew(tx, session.sessionId, now()), {
        to,
        end: (token) => ({ to, cookies: [request.server.sessionCookie.holding(token)] }),
      });
    },
  });
}
