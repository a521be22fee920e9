import { FieldsError, invalid, unauthorized } from "../../platform/errors.ts";
import { CONFIRM_PASSWORD, PASSWORD_PAGE as PATH, ownPath } from "../../platform/paths.ts";
import * as passwords from "../../community/users/passwords.ts";
import * as sessions from "../../community/users/sessions.ts";
import { isOwnPassword, WRONG } from "../../community/users/sign-in.ts";
import { Form, type FormFields } from "../kit/forms.tsx";
import { type Forms, type MemberVisit, runUnseen } from "../forms.tsx";
import { doneAt, settingsRoute } from "./settings.tsx";
import { helpOn, HelpWithSigningIn, narrowPage, NEW_PASSWORD } from "./parts.tsx";
import { NextQuery } from "./signing-in.tsx";

const NEW = { password: { ...NEW_PASSWORD, label: "New password" } } as const;

const FIELDS = {
  current_password: {
    label: "Current password",
    kind: "password",
    autocomplete: "current-password",
    required: true,
  },
  ...NEW,
} as const satisfies FormFields;

const CONFIRM = {
  password: { label: "Password", kind: "password", autocomplete: "current-password", required: true },
} as const satisfies FormFields;

export function passwordRoutes(forms: Forms): void {
  confirmRoutes(forms);
  settingsRoute(forms, PATH, {
    fields: FIELDS,
    async body(visit, typed) {
      const fields = isByLink(visit) ? NEW : FIELDS;
      return <Form action={PATH} typed={typed} fields={fields} submit="Change the password" />;
    },
    async submit(visit, { values }) {
      const { request, services, site, session } = visit;
      const { db, now } = services;
      const { current_password: current = "", password = "" } = values;
      const { id: userId } = session;
      const address = request.ip;
      const owner = await passwords.findOwner(db.main, userId);
      if (owner === undefined) throw unauthorized();
      if (!isByLink(visit) && !(await isOwnPassword(db.main, { session, password: current, address }, now())))
        throw new FieldsError({ current_password: ["is wrong"] }, "");
      const wanted = { password, communityName: site.settings.community_name, address };
      const hash = await passwords.hashOfNew(wanted, owner);
      return runUnseen(
        visit,
        async (tx) => ({
          ended: await passwords.change(tx, userId, { hash, exceptSession: session.sessionId, now: now() }),
          token: await sessions.renew(tx, session.sessionId, now()),
        }),
        {
          to: doneAt(PATH, "password"),
          end: ({ ended, token }) => ({
            to: doneAt(PATH, "password", ended),
            cookies: [request.server.sessionCookie.holding(token)],
          }),
          endsAccess: true,
        },
      );
    },
  });
}

/** A session that a link has begun, whose user may have forgotten the password, or has none. */
const isByLink = ({ session, passwordPath }: MemberVisit): boolean =>
  session.isByLink && passwordPath === undefined;

/** A member gives the password again before acts that a borrowed browser must not allow. */
function confirmRoutes(forms: Forms): void {
  forms.session(CONFIRM_PASSWORD, {
    fields: CONFIRM,
    querystring: NextQuery,
    async show({ site, services, query }, typed) {
      const next = typed.values["next"] ?? query.next;
      return narrowPage({
        title: "Confirm your password",
        path: CONFIRM_PASSWORD,
        typed,
        body: (
          <>
            <p>
              This is asked for before changes of keys, sessions, the address and the second factor, for 15
              minutes at a time. A link that signs you in counts too.
            </p>
            <Form
              action={CONFIRM_PASSWORD}
              typed={typed}
              fields={CONFIRM}
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
      if (!(await isOwnPassword(db.main, given, now()))) throw invalid(WRONG);
      const to = ownPath(values["next"]);
      return runUnseen(visit, (tx) => sessions.renew(tx, session.sessionId, now()), {
        to,
        end: (token) => ({ to, cookies: [request.server.sessionCookie.holding(token)] }),
      });
    },
  });
}
