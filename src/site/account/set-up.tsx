import { notFound } from "../../platform/errors.ts";
import { ADMIN } from "../../platform/paths.ts";
import { FIELDS as SETTINGS } from "../../platform/settings/fields.ts";
import { mayBeSetUp, setUp } from "../../community/users/creating.ts";
import { Form, type FormFields } from "../kit/forms.tsx";
import type { Forms } from "../forms.tsx";
import { EMAIL, linkPage, NAME, NEW_PASSWORD, TokenParams } from "./parts.tsx";
import { beginSession } from "./signing-in.tsx";

const OF_COMMUNITY = {
  community_name: { label: "Name of the community", maxLength: 100, required: true },
  community_description: { label: "What it is for", kind: "textarea", maxLength: 1_000, rows: 3 },
  registration: {
    label: "Who may join?",
    kind: "radio",
    options: {
      open: "Everyone",
      approval: "Everyone whom the team approves",
      invite: "People with an invitation",
      closed: "Nobody",
    },
  },
} as const satisfies FormFields;

const FIELDS = {
  ...OF_COMMUNITY,
  name: NAME,
  username: {
    label: "Your username",
    autocomplete: "username",
    maxLength: 30,
    required: true,
    hint: "2 to 30 letters a to z, digits or underscores. It stays as it is.",
  },
  email: { ...EMAIL, label: "Your e-mail address", required: false },
  is_contact: { label: "Show everyone this address as the contact of the site", kind: "checkbox" },
  password: NEW_PASSWORD,
} as const satisfies FormFields;

/** The page that an operator opens first, by a link that only the server's log and a command show. */
export function setUpRoutes(forms: Forms): void {
  forms.open("/setup/:token", {
    isForNewSite: true,
    fields: FIELDS,
    params: TokenParams,
    async show({ params: { token }, services: { db, now } }, typed) {
      if (!(await mayBeSetUp(db.main, token, now()))) throw notFound();
      const values = { registration: SETTINGS.registration.schema.default, ...typed.values };
      return linkPage({
        title: "Set up this site",
        typed,
        body: (
          <Form action={`/setup/${token}`} typed={{ ...typed, values }} fields={FIELDS} submit="Set up" />
        ),
      });
    },
    async submit(visit, { values }) {
      const { services, params, request } = visit;
      const { db, now } = services;
      const given = { token: params.token, values, address: request.ip, now: now() };
      return beginSession(visit, { userId: await setUp(db.main, given), to: ADMIN });
    },
  });
}
