import type { ComponentChildren } from "preact";
import { Type } from "typebox";
import { ErrorSummary, type Typed } from "../../web/forms.tsx";
import type { FormVisit, OwnPage } from "../forms.tsx";

export const TokenParams = Type.Object({ token: Type.String({ maxLength: 200 }) });

export type TokenVisit = FormVisit<object, { token: string }>;

interface LinkPage {
  title: string;
  body: ComponentChildren;
  status?: number;
  typed?: Typed;
}

/** A page to which a link in a mail leads. */
export const linkPage = ({ title, body, typed, ...rest }: LinkPage): OwnPage => ({
  ...rest,
  title,
  hasSecretAddress: true,
  body: (
    <div class="narrow">
      {typed && <ErrorSummary faults={typed.faults} />}
      <h1 class="page-title">{title}</h1>
      {body}
    </div>
  ),
});

export const LinkButton = ({ to, children }: { to: string; children: ComponentChildren }) => (
  <p class="spaced">
    <a class="button strong" href={to}>
      {children}
    </a>
  </p>
);
