import type { ComponentChildren } from "preact";
import { Type } from "typebox";
import { ErrorSummary, type Typed } from "../kit/forms.tsx";
import type { FormVisit, OwnPage } from "../forms.tsx";

export const TokenParams = Type.Object({ token: Type.String({ maxLength: 200 }) });

export type TokenVisit<Query = object> = FormVisit<Query, { token: string }>;

interface NarrowPage extends Omit<OwnPage, "body"> {
  body: ComponentChildren;
  /** The page shows the faults of this form above its body. */
  typed?: Typed | undefined;
}

/** A page of one narrow column, under its title. */
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
