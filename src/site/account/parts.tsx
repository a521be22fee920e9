import type { ComponentChildren } from "preact";
import { Type } from "typebox";
import { PASSWORD_LENGTH } from "../../community/users/passwords.ts";
import type { Program } from "../../http/operation.ts";
import { ErrorSummary, type Typed } from "../kit/forms.tsx";
import type { FormVisit, OwnPage } from "../forms.tsx";
import type { Site } from "../kit/layout.tsx";
import { RESET } from "../../platform/paths.ts";

/** The fields that several pages of accounts have. */
export const NAME = { label: "Your name", autocomplete: "name", maxLength: 100, required: true } as const;

export const EMAIL = {
  label: "E-mail address",
  kind: "email",
  autocomplete: "email",
  inputmode: "email",
  maxLength: 254,
  required: true,
} as const;

export const NEW_PASSWORD = {
  label: "Password",
  kind: "password",
  autocomplete: "new-password",
  required: true,
  hint: `At least ${PASSWORD_LENGTH.least} characters; 15 or more are better.`,
} as const;

export const TokenParams = Type.Object({ token: Type.String({ maxLength: 200 }) });

export type TokenVisit<Query = object> = FormVisit<Query, { token: string }>;

interface NarrowPage extends Omit<OwnPage, "body"> {
  body: ComponentChildren;
  typed?: Typed | undefined;
}

export const narrowPage = ({ title, body, typed, ...page }: NarrowPage): OwnPage => ({
  ...page,
  title,
  body: (
    <div class="narrow flow">
      {typed && <ErrorSummary faults={typed.faults} />}
      <h1 class="page-title">{title}</h1>
      {body}
    </div>
  ),
});

/** A page that a link in an email opens. */
export const linkPage = (page: NarrowPage): OwnPage => narrowPage({ hasSecretAddress: true, ...page });

/** The same for a used, an expired and an unknown link. */
export const deadLinkPage = (body: ComponentChildren): OwnPage =>
  linkPage({ title: "This link doesn’t work", status: 404, body });

interface LinkButtonProps {
  to: string;
  children: ComponentChildren;
  /** Marks a rare choice. */
  isPlain?: boolean;
}

export const LinkButton = ({ to, children, isPlain = false }: LinkButtonProps) => (
  <p class="spaced">
    <a class={isPlain ? "button" : "button strong"} href={to}>
      {children}
    </a>
  </p>
);

export interface HelpProps {
  hasMail: boolean;
  contact: string;
}

export const helpOn = (
  { settings }: Pick<Site, "settings">,
  { config }: Pick<Program, "config">,
): HelpProps => ({ hasMail: config.mail !== undefined, contact: settings.contact_email });

/** Leads people who have no password, or have forgotten it, to a link that signs them in. */
export function HelpWithSigningIn({ hasMail, contact }: HelpProps) {
  return (
    <p class="spaced muted">
      {hasMail ? (
        <>
          Forgotten your password? <a href={RESET}>Get a link by email</a>
        </>
      ) : (
        <>
          No password, or forgotten? <WhomToAsk contact={contact} /> for a link that signs you in.
        </>
      )}
    </p>
  );
}

/** Begins a sentence. */
export function WhomToAsk({ contact }: Pick<HelpProps, "contact">) {
  if (contact === "") return <>Ask an admin</>;
  return (
    <>
      Write to <a href={`mailto:${contact}`}>{contact}</a>
    </>
  );
}
