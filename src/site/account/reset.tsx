import type { ComponentChildren } from "preact";
import { Type } from "typebox";
import { RESET, withQuery, ownPath } from "../../platform/paths.ts";
import * as links from "../../community/users/one-time-links.ts";
import { MAILED_LINK_MINUTES } from "../../community/users/one-time-links.ts";
import { Form, type FormFields, type Typed } from "../kit/forms.tsx";
import { type Forms, type FormVisit, type OwnPage } from "../forms.tsx";
import {
  deadLinkPage,
  helpOn,
  HelpWithSigningIn,
  LinkButton,
  linkPage,
  narrowPage,
  TokenParams,
  type TokenVisit,
  WhomToAsk,
} from "./parts.tsx";
import { AppError } from "../../platform/errors.ts";
import { findViewer } from "../../community/users/viewer.ts";
import { beginSession, NextQuery } from "./signing-in.tsx";
import { askForLink } from "../../community/users/sign-in.ts";

const FIELDS = {
  login: { label: "Username or e-mail address", autocomplete: "username", maxLength: 254, required: true },
} as const satisfies FormFields;

const Query = Type.Object({ done: Type.Optional(Type.Literal("sent")) });

/** People who can't sign in with a password ask for a link here. */
export function resetRoutes(forms: Forms): void {
  forms.open(RESET, {
    fields: FIELDS,
    querystring: Query,
    async show(visit, typed) {
      if (visit.services.config.mail === undefined) return helplessPage(visit);
      return visit.query.done === undefined ? askPage(visit, typed) : sentPage(visit);
    },
    async submit({ request, services }, { values }) {
      const { config, db, now } = services;
      if (config.mail === undefined) return { to: RESET };
      const address = config.rateLimits ? request.ip : undefined;
      await askForLink(db.main, { login: values["login"] ?? "", address }, now());
      return { to: withQuery(RESET, { done: "sent" }) };
    },
  });
  /** GET only shows a button, because scanners of emails follow links. */
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

const page = (title: string, body: ComponentChildren, typed?: Typed): OwnPage =>
  narrowPage({ title, path: RESET, body, typed });

function askPage(visit: FormVisit, typed: Typed): OwnPage {
  const values = { login: visit.viewer?.username ?? "", ...typed.values };
  return page(
    "Get a link by email",
    <>
      <p>It signs you in without your password, and you can choose a new one then.</p>
      <Form action={RESET} typed={{ ...typed, values }} fields={FIELDS} submit="Send the link" />
      <NoAddress {...visit} />
    </>,
    typed,
  );
}

/** The same whether there is such an account or not. */
function sentPage(visit: FormVisit): OwnPage {
  return page(
    "Look into your mailbox",
    <>
      <p class="lead">
        If there is an account of that name or address, and its address is confirmed, an email is on its way.
        Its link works once, for {MAILED_LINK_MINUTES} minutes, and ends earlier ones.
      </p>
      <p>
        Nothing after some minutes? Check your spam folder, then{" "}
        <a href={RESET}>check the name and ask again</a>.
      </p>
      <NoAddress {...visit} />
    </>,
  );
}

function NoAddress({ site, services }: FormVisit) {
  return (
    <p class="spaced muted">
      No confirmed address? <WhomToAsk {...helpOn(site, services)} /> for a link.
    </p>
  );
}

function helplessPage({ site, services }: FormVisit): OwnPage {
  return page(
    "Help with signing in",
    <>
      <p class="lead">
        This site sends no emails. <WhomToAsk {...helpOn(site, services)} /> for a link that signs you in.
      </p>
      <LinkButton to="/signin" isPlain>
        Sign in with a password
      </LinkButton>
    </>,
  );
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
        {links.MAILED_LINK_MINUTES} when an email brought it. A later one ends it.
      </p>
      <LinkButton to="/signin" isPlain>
        Sign in with a password
      </LinkButton>
      <HelpWithSigningIn {...helpOn(site, services)} />
    </>,
  );
