import type { ComponentChildren } from "preact";
import { type Static, Type } from "typebox";
import { ACCOUNT, PASSWORD_PAGE, SESSIONS, TWO_FACTOR_PAGE, withQuery } from "../../platform/paths.ts";
import { ErrorSummary, type FormFields, FormToken, type Typed } from "../kit/forms.tsx";
import type { Declaration, Forms, MemberVisit, OwnPage } from "../forms.tsx";

export const SECTIONS = [
  { path: "/settings/profile", label: "Profile" },
  { path: ACCOUNT, label: "Account" },
  { path: PASSWORD_PAGE, label: "Password" },
  { path: TWO_FACTOR_PAGE, label: "Second factor" },
  { path: SESSIONS, label: "Sessions" },
  { path: "/settings/reading", label: "Reading" },
  { path: "/settings/notifications", label: "Notifications" },
  { path: "/settings/keys", label: "API keys" },
  { path: "/settings/invitations", label: "Invitations" },
] as const;

const DONE = {
  saved: "Saved.",
  acted: "Done.",
  meanwhile: "Someone else has done it already.",
  password: "Your password is changed.",
  address_sent: "We sent a link to the new address. Open it to confirm the address.",
  address_noted: "The address is stored as unconfirmed.",
  address_cancelled: "The address that waited is removed.",
  address_removed: "Your address is removed.",
  ended: "The session has ended.",
  others: "You are signed in on this browser only.",
  key: "The key is made. It was shown only once: if you haven’t copied it, revoke it and make another one.",
  revoked: "The key is revoked.",
  invited: "The email with the invitation is on its way.",
  link: "The invitation is made. Its link was shown only once: if you haven’t copied it, revoke it and make another one.",
  invitation_revoked: "The invitation is revoked.",
  factor:
    "The second factor is on. Its recovery codes were shown once: if you haven’t stored them, make new ones.",
  factor_off: "The second factor is off.",
  recovered: "You have signed in with a recovery code. It can’t be used again.",
} as const;

type DoneCode = keyof typeof DONE;

/** The page says what has just been done, by a code: no text of a request is shown. */
export const DoneQuery = Type.Object({
  done: Type.Optional(Type.Enum(Object.keys(DONE) as DoneCode[])),
  /** The number of sessions that ended with it. */
  ended: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
});

export const doneAt = (path: string, done: DoneCode, ended?: number): string =>
  withQuery(path, { done, ...(ended !== undefined && { ended }) });

export function Done({ done, ended }: Static<typeof DoneQuery>) {
  if (done === undefined) return null;
  return (
    <p class="done" role="status">
      {DONE[done]}
      {ended !== undefined && ` Other sessions that ended: ${ended}.`}
    </p>
  );
}

interface EndableRowsProps<Row> {
  path: string;
  typed: Typed;
  rows: readonly Row[];
  row: (row: Row) => ComponentChildren;
  children?: ComponentChildren;
}

/** Rows of a member, each with a button that ends it. */
export function EndableRows<Row>({ path, typed, rows, row, children }: EndableRowsProps<Row>) {
  return (
    <form method="post" action={path}>
      <FormToken typed={typed} />
      <ul class="rows">
        {rows.map((each) => (
          <li>{row(each)}</li>
        ))}
      </ul>
      {children}
    </form>
  );
}

type SettingsVisit = MemberVisit<Static<typeof DoneQuery>>;

interface SettingsForm<Fields extends FormFields> extends Omit<
  Declaration<Fields, SettingsVisit, typeof DoneQuery, never>,
  "show" | "params" | "querystring"
> {
  body(visit: SettingsVisit, typed: Typed): Promise<ComponentChildren>;
}

export function settingsRoute<Fields extends FormFields>(
  forms: Forms,
  path: SettingsProps["path"],
  { body, ...declared }: SettingsForm<Fields>,
): void {
  forms.member(path, {
    ...declared,
    querystring: DoneQuery,
    show: async (visit, typed) =>
      settingsPage({ path, typed, done: visit.query, body: await body(visit, typed) }),
  });
}

interface SettingsProps {
  path: (typeof SECTIONS)[number]["path"];
  typed?: Typed;
  done?: Static<typeof DoneQuery>;
  body: ComponentChildren;
}

export function settingsPage({ path, ...page }: SettingsProps & Partial<OwnPage>): OwnPage {
  const title = SECTIONS.find((section) => section.path === path)?.label ?? "";
  return sectionPage({ name: "Settings", sections: SECTIONS, title, path, ...page });
}

interface SectionPage extends OwnPage {
  name: string;
  sections: readonly { path: string; label: string }[];
  path: string;
  typed?: Typed | undefined;
  done?: Static<typeof DoneQuery> | undefined;
}

/** A page beside links to others of its kind. */
export function sectionPage({ name, sections, typed, done, title, body, ...page }: SectionPage): OwnPage {
  return {
    ...page,
    title: `${title} – ${name}`,
    body: (
      <div class="settings">
        <nav aria-label={name}>
          <ul>
            {sections.map(({ path, label }) => (
              <li>
                <a href={path} aria-current={path === page.path ? "page" : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div>
          {typed && <ErrorSummary faults={typed.faults} />}
          {done && <Done {...done} />}
          <h1 class="page-title" dir="auto">
            {title}
          </h1>
          {body}
        </div>
      </div>
    ),
  };
}
