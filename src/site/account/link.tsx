import { AppError } from "../../errors.ts";
import * as links from "../../users/one-time-links.ts";
import { findViewer } from "../../users/viewer.ts";
import { Form } from "../../web/forms.tsx";
import { type Forms, type OwnPage, ownPath } from "../forms.tsx";
import { deadLinkPage, LinkButton, linkPage, TokenParams, type TokenVisit } from "./narrow-page.tsx";
import { HelpWithSigningIn, helpOn } from "./help.tsx";
import { beginSession, NextQuery } from "./signing-in.tsx";

/** GET only shows a button, because scanners of mails follow links. */
export function linkRoutes(forms: Forms): void {
  forms.open("/signin/link/:token", {
    fields: {},
    params: TokenParams,
    querystring: NextQuery,
    async show(visit) {
      const { db, now } = visit.services;
      const link = await links.find(db.main, visit.params.token, now());
      const [user] = link === undefined ? [] : await findViewer(db.main, { id: link.owner });
      return user === undefined ? deadPage(visit) : buttonPage(visit, user.name);
    },
    async submit(visit, { values }) {
      const { db, now } = visit.services;
      const link = await links.use(db.main, visit.params.token, now());
      if (link === undefined) return deadPage(visit);
      const { owner: userId, passwordHash } = link;
      const who = { userId, passwordHash, isByLink: true };
      return beginSession(visit, { ...who, to: ownPath(values["next"]) }).catch((error: unknown) => {
        if (error instanceof AppError && error.code === "unauthorized") return deadPage(visit);
        throw error;
      });
    },
  });
}

type LinkVisit = TokenVisit<{ next?: string }>;

function buttonPage({ params: { token }, query: { next } }: LinkVisit, name: string): OwnPage {
  return linkPage({
    title: "Sign in",
    body: (
      <>
        <p>The link works once.</p>
        <Form action={`/signin/link/${token}`} submit={`Sign in as ${name}`} hidden={{ next }} />
      </>
    ),
  });
}

/** The same for an account that is suspended or gone. */
const deadPage = ({ site, services }: LinkVisit): OwnPage =>
  deadLinkPage(
    <>
      <p class="lead">
        A link that signs you in works once, and for {links.LINK_MINUTES} minutes, or{" "}
        {links.MAILED_LINK_MINUTES} when a mail brought it. A later one ends it.
      </p>
      <LinkButton to="/signin" isPlain>
        Sign in with a password
      </LinkButton>
      <HelpWithSigningIn {...helpOn(site, services)} />
    </>,
  );
