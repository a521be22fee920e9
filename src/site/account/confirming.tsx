import { withQuery } from "../../paths.ts";
import { writeUnseen } from "../../http/run-write.ts";
import * as sessions from "../../users/sessions.ts";
import { confirm } from "../../users/sign-in.ts";
import { Form, type FormFields } from "../../web/forms.tsx";
import { type Forms, type MemberVisit, ownPath } from "../forms.tsx";
import { narrowPage } from "./narrow-page.tsx";
import { HelpWithSigningIn, helpOn } from "./help.tsx";
import { NextQuery } from "./signing-in.tsx";

const FIELDS = {
  password: { label: "Password", kind: "password", autocomplete: "current-password", required: true },
} as const satisfies FormFields;

/** Where a member gives the password once more, before acts that a borrowed browser should not allow. */
export function confirmRoutes(forms: Forms): void {
  forms.session("/confirm-password", {
    fields: FIELDS,
    querystring: NextQuery,
    async show({ site, services, query }, typed) {
      const next = typed.values["next"] ?? query.next;
      return narrowPage({
        title: "Confirm your password",
        path: "/confirm-password",
        typed,
        body: (
          <>
            <p>
              This is asked for before changes of keys, sessions, the address and the second factor, for 15
              minutes at a time. A link that signs you in counts too.
            </p>
            <Form
              action="/confirm-password"
              typed={typed}
              fields={FIELDS}
              submit="Confirm"
              hidden={{ next }}
            />
            <HelpWithSigningIn {...helpOn(site, services)} />
          </>
        ),
      });
    },
    async submit(visit, { values }) {
      const { request, services, session } = visit;
      const { db, now } = services;
      const given = { session, password: values["password"] ?? "", address: request.ip };
      await confirm(db.main, given, now());
      const token = await writeUnseen(request, db.main, (tx) => sessions.renew(tx, session.sessionId, now()));
      return { to: ownPath(values["next"]), cookies: [request.server.sessionCookie.holding(token)] };
    },
  });
}

/** Leads to the page above unless a password, or a sign-in link, was given a short time ago. */
export function unconfirmed({ session, services, request }: MemberVisit): { to: string } | undefined {
  if (sessions.isConfirmed(session, services.now())) return undefined;
  const [next = ""] = request.url.split("?");
  return { to: withQuery("/confirm-password", { next }) };
}
