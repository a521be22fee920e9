import { FieldsError, unauthorized } from "../../errors.ts";
import { PASSWORD_PAGE as PATH } from "../../paths.ts";
import * as passwords from "../../users/passwords.ts";
import * as sessions from "../../users/sessions.ts";
import { isOwnPassword } from "../../users/sign-in.ts";
import { Form, type FormFields } from "../../web/forms.tsx";
import { type Forms, type MemberVisit, runUnseen } from "../forms.tsx";
import { NEW_PASSWORD } from "./own-fields.ts";
import { doneAt, DoneQuery, settingsPage } from "./settings.tsx";

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

export function passwordRoutes(forms: Forms): void {
  forms.member(PATH, {
    fields: FIELDS,
    querystring: DoneQuery,
    async show(visit, typed) {
      const fields = isByLink(visit) ? NEW : FIELDS;
      return settingsPage({
        path: PATH,
        typed,
        done: visit.query,
        body: <Form action={PATH} typed={typed} fields={fields} submit="Change the password" />,
      });
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
