import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { PageForm } from "../../http/form-body.ts";
import { lacksFactor } from "../../http/actor.ts";
import { coarseNetworkOf } from "../../platform/limits/networks.ts";
import { HOME, MAX_NEXT, signInPath, TWO_FACTOR_PAGE, withQuery, ownPath } from "../../platform/paths.ts";
import * as sessions from "../../community/users/sessions.ts";
import { signIn } from "../../community/users/sign-in.ts";
import { ErrorSummary, Form, type FormFields, type Typed } from "../kit/forms.tsx";
import { type Done, type Forms, type FormVisit, type OwnPage } from "../forms.tsx";
import { helpOn, type HelpProps, HelpWithSigningIn, LinkButton, narrowPage, WhomToAsk } from "./parts.tsx";
import { invalid } from "../../platform/errors.ts";
import * as factors from "../../community/users/second-factor.ts";
import { doneAt } from "./settings.tsx";

const FIELDS = {
  login: { label: "Username or e-mail address", autocomplete: "username", maxLength: 254, required: true },
  password: { label: "Password", kind: "password", autocomplete: "current-password", required: true },
} as const satisfies FormFields;

const CODE_PAGE = "/signin/code";

export const NextQuery = Type.Object({
  next: Type.Optional(Type.String({ maxLength: MAX_NEXT, "x-any-text": true })),
});

export function signInRoutes(forms: Forms): void {
  forms.open("/signin", {
    fields: FIELDS,
    querystring: NextQuery,
    takesForms: true,
    show: async (visit, typed) => signInPage(visit, typed),
    submit: signInBy,
  });
  forms.open("/signout", {
    fields: {},
    show: async ({ viewer }) => (viewer === undefined ? { to: HOME } : signOutPage()),
    async submit({ session, services, request }) {
      if (session !== undefined) await sessions.endOwn(services.db.main, session);
      return { to: HOME, cookies: [request.server.sessionCookie.removal] };
    },
  });
  forms.open(CODE_PAGE, {
    fields: CODE,
    querystring: NextQuery,
    takesForms: true,
    async show(visit, typed) {
      const next = typed.values["next"] ?? visit.query.next;
      if (visit.session !== undefined) return { to: ownPath(next) };
      if ((await unfinishedOf(visit)) !== undefined)
        return codePage(visit, {
          ...typed,
          values: { ...(next !== undefined && { next }), ...typed.values },
        });
      return typed.faults.length === 0 ? { to: signInPath(next) } : signInPage(visit, typed);
    },
    async submit(visit, { values }) {
      const { request, services, session } = visit;
      const { config, db, now } = services;
      const { code, action, next, back } = values;
      const to = ownPath(action === undefined ? next : back);
      if (session !== undefined) return { to };
      const unfinished = await unfinishedOf(visit);
      if (unfinished === undefined) throw invalid("A code is taken for 10 minutes: sign in again");
      // The form of a sign-in comes here with its fields.
      if (code === undefined && action !== undefined) return codePage(visit, { values, faults: [] });
      const given = { code: code ?? "", address: request.ip, isLimited: config.rateLimits };
      const { codesLeft } = await factors.finishSignIn(db.main, unfinished, given, now());
      const { userId, isByLink, passwordHash } = unfinished;
      const begun = { userId, isByLink, passwordHash, isFinished: true };
      if (codesLeft !== undefined && action === undefined)
        return beginSession(visit, { ...begun, to: doneAt(TWO_FACTOR_PAGE, "recovered") });
      return goOn(await beginSession(visit, { ...begun, to }), to, action);
    },
  });
}

async function signInBy(visit: FormVisit, { values }: PageForm): Promise<Done> {
  const { request, services, site } = visit;
  const { login = "", password = "", next, action, back } = values;
  const { config, db, now } = services;
  const [isLimited, contact] = [config.rateLimits, site.settings.contact_email];
  const given = { login, password, address: request.ip, isLimited, contact };
  const to = ownPath(action === undefined ? next : back);
  return goOn(await beginSession(visit, { ...(await signIn(db.main, given, now())), to }), to, action);
}

/** Sends the form that was in the way of a sign-in on: to its own address, or to that of the code, which has yet to come. */
function goOn(done: Done, to: string, action: string | undefined): Done {
  if (action === undefined) return done;
  if (done.to === to) return { ...done, to: ownPath(action), isSentAgain: true };
  return done.to.startsWith(CODE_PAGE) ? { ...done, to: CODE_PAGE, isSentAgain: true } : done;
}

const OF_SIGN_IN = ["login", "password", "code"];

/** The fields that a form on the way of a sign-in hides. */
export const sentAlong = (values: Typed["values"]): Typed["values"] =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !OF_SIGN_IN.includes(name)));

interface SignedIn {
  userId: number;
  passwordHash?: string | null;
  isByLink?: boolean;
  isFinished?: boolean;
  to: string;
}

/** Signs a user in on this browser, up to their second factor; the session that the browser has ends. */
export async function beginSession(
  { request, services: { db, now }, site }: Pick<FormVisit, "request" | "services" | "site">,
  { to, ...begun }: SignedIn,
): Promise<Done> {
  const { sessionCookie } = request.server;
  const replacing = sessionCookie.tokenIn(request.headers);
  const device = deviceOf(request);
  let token = await sessions.begin(db.main, { ...begun, ...device, replacing }, now());
  let session = await sessions.authenticate(db.main, token, now());
  if (session?.hasFactor && !begun.isFinished) {
    // It was turned on meanwhile.
    token = await sessions.begin(db.main, { ...begun, ...device, replacing: token }, now());
    session = undefined;
  }
  const cookies = [sessionCookie.holding(token)];
  if (session === undefined) return { to: withQuery(CODE_PAGE, { next: to }), cookies };
  return { to: lacksFactor(session, site.settings) ? TWO_FACTOR_PAGE : to, cookies };
}

function deviceOf({ ip, headers }: FastifyRequest): sessions.Device {
  return { network: coarseNetworkOf(ip), browser: headers["user-agent"] ?? "" };
}

function signInPage(visit: FormVisit<Static<typeof NextQuery>>, typed: Typed): OwnPage | Done {
  const { viewer, request, reply, site, services } = visit;
  const next = typed.values["next"] ?? visit.query.next;
  const fields = { next, ...sentAlong(typed.values) };
  const isFirst = typed.faults.length === 0;
  if (viewer !== undefined && isFirst) return { to: ownPath(next) };
  forgetEnded(request, reply);
  const { baseUrl } = site;
  return {
    title: "Sign in",
    path: "/signin",
    body:
      isFirst && losesCookie(request, baseUrl) ? (
        <SignInElsewhere address={baseUrl + signInPath(next)} />
      ) : (
        <SignIn typed={typed} fields={fields} help={helpOn(site, services)} />
      ),
  };
}

/** A browser takes the cookie over HTTPS alone, which the site has at its own address. */
function losesCookie({ host }: FastifyRequest, baseUrl: string): boolean {
  const own = new URL(baseUrl);
  return own.protocol === "https:" && host !== own.host;
}

function SignInElsewhere({ address }: { address: string }) {
  return (
    <div class="narrow flow">
      <h1 class="page-title">Sign in</h1>
      <p class="lead">This site has another address, at which your browser stays signed in.</p>
      <LinkButton to={address}>Sign in at {new URL(address).host}</LinkButton>
    </div>
  );
}

/** Removes the cookie of a session that has ended, so that the browser's pages come out of the cache again. */
function forgetEnded(request: FastifyRequest, reply: FastifyReply): void {
  const { sessionCookie } = request.server;
  if (sessionCookie.tokenIn(request.headers) !== undefined) reply.header("set-cookie", sessionCookie.removal);
}

interface SignInProps {
  typed: Typed;
  /** Where the reader goes next, or the form that is sent after it: its address as `action`, and its fields. */
  fields: Readonly<Record<string, string | undefined>>;
  help: HelpProps;
}

export function SignIn({ typed, fields, help }: SignInProps) {
  return (
    <div class="narrow flow">
      <ErrorSummary faults={typed.faults} />
      <h1 class="page-title">Sign in</h1>
      <Form action="/signin" typed={typed} fields={FIELDS} submit="Sign in" hidden={fields} />
      <HelpWithSigningIn {...help} />
    </div>
  );
}

function signOutPage(): OwnPage {
  return narrowPage({
    title: "Sign out",
    path: "/signout",
    body: (
      <>
        <p>Your other browsers stay signed in.</p>
        <Form action="/signout" submit="Sign out" />
      </>
    ),
  });
}

const CODE = {
  code: {
    label: "Code",
    autocomplete: "one-time-code",
    maxLength: 100,
    required: true,
    hint: "The 6 digits that your app shows, or one of your recovery codes.",
  },
} as const satisfies FormFields;

async function unfinishedOf({ request, services }: FormVisit): Promise<sessions.Unfinished | undefined> {
  const token = request.server.sessionCookie.tokenIn(request.headers) ?? "";
  return sessions.findUnfinished(services.db.main, token, services.now());
}

function codePage({ site, services }: FormVisit, typed: Typed): OwnPage {
  const help = helpOn(site, services);
  return narrowPage({
    title: "Enter your code",
    path: CODE_PAGE,
    typed,
    body: (
      <>
        <Form
          action={CODE_PAGE}
          typed={typed}
          fields={CODE}
          submit="Go on"
          hidden={sentAlong(typed.values)}
        />
        <p class="spaced">
          <a href={signInPath(typed.values["next"])}>Sign in again</a>
        </p>
        <p class="spaced muted">
          Neither the app nor a recovery code? <WhomToAsk {...help} /> to turn your second factor off.
        </p>
        <HelpWithSigningIn {...help} />
      </>
    ),
  });
}
