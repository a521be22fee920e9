import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { TObject, TSchema } from "typebox";
import type { Author, Session, Viewer, Work } from "../http/actor.ts";
import { AppError, type ErrorCode, FieldsError } from "../platform/errors.ts";
import { createErrors, tooLong } from "../platform/fields/fields.ts";
import type { App } from "../http/app-type.ts";
import { memberAnswer } from "../http/answers.ts";
import { type Access, sessionOf } from "../http/auth.ts";
import { sendRefusal, STATUS } from "../http/errors.ts";
import type { Program } from "../http/operation.ts";
import { limitStrangers, NO_FORM, type PageForm, pageFormBytes, readPageForms } from "../http/form-body.ts";
import type { Write } from "../http/run-write.ts";
import { IMAGE_LIMITS } from "../content/images/images.ts";
import { CONFIRM_PASSWORD, withQuery } from "../platform/paths.ts";
import type { FieldFault, FormFields, Typed } from "./kit/forms.tsx";
import type { Site } from "./kit/layout.tsx";
import { hasPeople } from "../community/users/first-run.ts";
import { isConfirmed } from "../community/users/sessions.ts";
import {
  answerOf,
  openVisit,
  sendBeingSetUp,
  toFragment,
  type Page,
  type StaticOf,
  type Visit,
} from "./kit.tsx";

export interface FormVisit<Query = object, Params = object> extends Visit<Query, Params> {
  viewer: Viewer | undefined;
  session: Session | undefined;
  /** The page that asks for the password again; undefined for 15 minutes after a password or a sign-in link. */
  passwordPath: string | undefined;
  reply: FastifyReply;
}

export interface MemberVisit<Query = object, Params = object> extends FormVisit<Query, Params> {
  viewer: Viewer;
  session: Session;
}

export interface Done {
  to: string;
  cookies?: string[] | undefined;
  /** Whether the form goes on to that address, with its fields. */
  isSentAgain?: boolean;
}

/** A page that is only for one reader. */
export interface OwnPage extends Page {
  status?: number;
  /** Holds a secret, whose parts compression could show by the length of the page. */
  isSecret?: boolean;
  /** Has a secret in its address, which it tells no other site. */
  hasSecretAddress?: boolean;
}

export interface Declaration<Fields extends FormFields, Of, Query, Params> {
  fields?: Fields;
  /** Acts that a borrowed browser should not allow are `recent`: they lead to `passwordPath` first, if there is one. */
  access?: "recent" | ((values: Record<string, string>) => "recent" | undefined);
  params?: Params;
  querystring?: Query;
  /** Whether it is there before anyone is on the site. */
  isForNewSite?: boolean;
  /** A stranger who sends it signs in first, and it is sent again. It names the page that it came from as `back`. */
  asksToSignIn?: boolean;
  /** Whether the fields of another form come along, which is sent after it and judges them. */
  takesForms?: boolean;
  /** Undefined when it has answered itself. */
  show(visit: Of, typed: Typed): Promise<OwnPage | Done | undefined>;
  /**
   * Faults that it throws are shown on the page again, with what was typed. Undefined when it has answered itself. A
   * page without it leads back to itself.
   */
  submit?(visit: Of, form: PageForm): Promise<OwnPage | Done | undefined>;
}

type Nothing = TObject<{}>;

type FormAccess = Extract<Access, "open" | "session" | "member" | "staff" | "admins">;

const TOKEN_BYTES = 16;

/** Mounts a page with a form: GET shows it, POST does what it is for, and leads to another page. */
export type Forms = ReturnType<typeof createForms>;

type GivenDeclaration = Declaration<FormFields, FormVisit, TSchema, TSchema>;
type AnyDeclaration = GivenDeclaration & Required<Pick<GivenDeclaration, "fields" | "submit">>;

const leadBack = async ({ request }: FormVisit) => ({ to: request.url.split("?")[0] ?? "" });

type MountForMembers = <
  Fields extends FormFields,
  Query extends TSchema = Nothing,
  Params extends TSchema = Nothing,
>(
  path: string,
  declared: Declaration<Fields, MemberVisit<StaticOf<Query>, StaticOf<Params>>, Query, Params>,
) => void;

export function createForms(app: App, program: Program) {
  readPageForms(app, IMAGE_LIMITS.bytes);

  function mount(path: string, access: FormAccess, given: GivenDeclaration): void {
    const declared = { fields: {}, submit: leadBack, ...given };
    const { params, querystring, show, isForNewSite = false, asksToSignIn = false } = declared;
    const config = { access, limited: true, isPage: true } as const;
    const schema = { hide: true, ...(params && { params }), ...(querystring && { querystring }) };
    const canStart = async () => isForNewSite || hasPeople(program.db.main);
    const visitOf = async (request: FastifyRequest, reply: FastifyReply): Promise<FormVisit> => {
      const visit = await openVisit(request, program, { isOpen: access === "open" });
      const session = sessionOf(request);
      const [next = ""] = request.url.split("?");
      const isRecent = session === undefined || isConfirmed(session, program.now());
      const passwordPath = isRecent ? undefined : withQuery(CONFIRM_PASSWORD, { next });
      return { ...visit, viewer: visit.site.viewer ?? undefined, session, passwordPath, reply };
    };
    app.get(path, { config, schema }, async (request, reply) => {
      if (!(await canStart())) return sendBeingSetUp(reply);
      return showForm(await visitOf(request, reply), show);
    });
    // A form with a password isn't noted: the digest of its values would be a quick hash of the password.
    const idempotent = Object.values(declared.fields).every(({ kind }) => kind !== "password");
    const bodyLimit = bodyLimitOf(access, declared);
    const onRequest = asksToSignIn ? [limitStrangers(IMAGE_LIMITS.bytes)] : [];
    const options = { ...bodyLimit, config: { ...config, idempotent, asksToSignIn }, schema, onRequest };
    app.post(path, options, async (request, reply) => {
      if (!(await canStart())) return sendBeingSetUp(reply);
      if (asksToSignIn && !sessionOf(request)) return askToSignIn(request, reply, declared.fields);
      return submitForm(await visitOf(request, reply), declared);
    });
  }

  const ofMembers =
    (access: FormAccess): MountForMembers =>
    (path, declared) =>
      mount(path, access, declared);

  return {
    /** Everyone may see it, also strangers of a private community. */
    open<Fields extends FormFields, Query extends TSchema = Nothing, Params extends TSchema = Nothing>(
      path: string,
      declared: Declaration<Fields, FormVisit<StaticOf<Query>, StaticOf<Params>>, Query, Params>,
    ): void {
      mount(path, "open", declared);
    },
    /** Members who are signed in and have the second factor that they need; others are sent to do these first. */
    member: ofMembers("member"),
    /** Moderators and admins; for all others the page isn't there. */
    staff: ofMembers("staff"),
    admins: ofMembers("admins"),
    session: ofMembers("session"),
  };
}

const showForm = async (visit: FormVisit, show: AnyDeclaration["show"]): Promise<FastifyReply> =>
  sendOwn(visit, await show(visit, newlyTyped(visit.site)));

function askToSignIn(request: FastifyRequest, reply: FastifyReply, fields: FormFields) {
  const form = formOf(request);
  // Files aren't carried.
  if (form.fault && form.fault.code !== "too_large") throw form.fault;
  checkLengths(form, fields, false);
  return sendRefusal(reply, 401, undefined, form.values);
}

/** The page of a form tells that its file is too large, with all that was typed, up to a size that no picture has. */
function bodyLimitOf(access: FormAccess, { fields, asksToSignIn, takesForms }: AnyDeclaration) {
  if (takesForms) return { bodyLimit: pageFormBytes(0) };
  const hasFile = Object.values(fields).some(({ kind }) => kind === "file");
  const isSmall = access === "open" || (asksToSignIn && !hasFile);
  return isSmall ? {} : { bodyLimit: pageFormBytes(4 * IMAGE_LIMITS.bytes) };
}

const formOf = ({ body }: FastifyRequest): PageForm => (body as PageForm | undefined) ?? NO_FORM;

async function submitForm(
  visit: FormVisit,
  { fields, access, takesForms = false, asksToSignIn, show, submit }: AnyDeclaration,
): Promise<FastifyReply> {
  const { request, reply, passwordPath } = visit;
  const form = formOf(request);
  try {
    if (request.refused) throw request.refused;
    if (form.fault) throw form.fault;
    checkLengths(form, fields, takesForms);
    const needed = typeof access === "function" ? access(form.values) : access;
    if (needed === "recent" && passwordPath !== undefined) return leadTo(reply, { to: passwordPath });
    return await sendOwn(visit, await submit(visit, form));
  } catch (error) {
    const { code, retryAfterSeconds } = error as AppError;
    // The session has ended since the request came.
    if (asksToSignIn && code === "unauthorized" && !sessionOf(request))
      return askToSignIn(request, reply, fields);
    const faults = faultsOf(error, fields);
    if (faults === undefined) throw error;
    if (retryAfterSeconds !== undefined) reply.header("retry-after", retryAfterSeconds);
    const values = withoutPasswords(form.values, fields);
    const shown = await show(visit, { ...newlyTyped(visit.site), values, faults });
    return sendOwn(visit, shown, STATUS[code]);
  }
}

/** Of passwords, which none is cut off of, and of fields that a page hides. */
const MOST = 2_000;

/** The names of hidden fields by which a sign-in knows where to go. */
const OF_PAGE = new Set(["next", "back", "action"]);

/** Before anything looks into the texts: normalizing a long one takes minutes. The rules of each field count exactly. */
function checkLengths({ values }: PageForm, fields: FormFields, takesForms: boolean): void {
  const errors = createErrors();
  for (const [name, value] of Object.entries(values)) {
    if (takesForms && !OF_PAGE.has(name) && !(name in fields)) continue;
    const most = fields[name]?.maxLength ?? MOST;
    if (value.length > 2 * most) errors.of(name)(tooLong(most));
  }
  errors.throwIfAny();
}

/** A form that nothing is typed into yet. Each has a token of its own for a member. */
export const newlyTyped = ({ viewer }: Pick<Site, "viewer">): Typed => ({
  values: {},
  faults: [],
  token: viewer ? randomBytes(TOKEN_BYTES).toString("base64url") : undefined,
});

async function sendOwn(
  { request, reply, site, viewer, services }: FormVisit,
  shown: OwnPage | Done | undefined,
  refused?: number,
): Promise<FastifyReply> {
  if (shown === undefined) return reply;
  if ("to" in shown) return leadTo(reply, shown);
  const { isSecret = false, hasSecretAddress = false, status = 200, ...page } = shown;
  const title = refused === undefined ? page.title : `Error: ${page.title}`;
  // "no-referrer" would leave out the origin of its form too, by which a browser over plain HTTP is believed.
  if (hasSecretAddress) reply.header("referrer-policy", "strict-origin");
  const answer = {
    ...answerOf(
      hasSecretAddress ? withoutLogo(site) : site,
      { isHidden: true, hasForm: true, ...page, title },
      services,
    ),
    ...(isOfScript(request) && { body: () => toFragment(site, { title, body: page.body }) }),
    status: refused ?? status,
  };
  return memberAnswer(request, reply, { id: viewer?.id ?? 0, answer, isPacked: !isSecret });
}

/** The script of forms accepts this: the part of a page that it replaces. */
const FRAGMENT = "fragment=1";
export const isOfScript = ({ headers }: FastifyRequest) => headers.accept?.includes(FRAGMENT) === true;

/** A logo may come from another site. */
const withoutLogo = (site: FormVisit["site"]) => ({ ...site, settings: { ...site.settings, logo_url: "" } });

/** A script that has sent the form gets no redirect, which `fetch` would follow without telling where to. */
function leadTo(reply: FastifyReply, { to, cookies, isSentAgain = false }: Done): FastifyReply {
  reply
    .code(isSentAgain ? 307 : isOfScript(reply.request) ? 204 : 303)
    .headers({ location: to, "cache-control": "private, no-store" });
  if (cookies !== undefined) reply.header("set-cookie", cookies);
  return reply.send();
}

const OF_FORM = new Set<ErrorCode>([
  "invalid",
  "rate_limited",
  "too_large",
  "unsupported",
  "malformed",
  "unavailable",
  "busy",
]);

/** Undefined for an error that is no fault of the form. */
function faultsOf(error: unknown, fields: FormFields): FieldFault[] | undefined {
  if (error instanceof FieldsError) {
    return Object.entries(error.fields).flatMap(([name, words]) =>
      words.map((each) => ({
        field: name in fields ? name : undefined,
        sentence: `${fields[name]?.label ?? name} ${each}`,
      })),
    );
  }
  const isFault = error instanceof AppError && OF_FORM.has(error.code);
  return isFault ? [{ field: undefined, sentence: error.message }] : undefined;
}

function withoutPasswords(values: Record<string, string>, fields: FormFields): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => fields[name]?.kind !== "password"));
}

interface FormEnd<Result> extends Done, Pick<Write<Result>, "endsAccess" | "unseen"> {
  /** Shows the result in place of `to`; a form that is sent again leads there. */
  end?: (result: Result) => Promise<OwnPage | Done | undefined> | OwnPage | Done;
}

/** Writes as the member who sends a form, once for a form that is sent twice, and leads to a page. */
export async function runForm<Result>(
  visit: MemberVisit,
  verb: (actor: Author<Result>) => Promise<Result>,
  { to, cookies, end, ...more }: FormEnd<Result>,
): Promise<undefined> {
  await visit.services.runWrite(visit.request, visit.reply, {
    verb,
    show: () => ({ status: 204, body: "" }),
    respond: async (result) =>
      sendOwn(visit, result === undefined || end === undefined ? { to, cookies } : await end(result)),
    ...more,
  });
}

/** Writes in the same way what answers to strangers don't show. */
export const runUnseen = <Result,>(visit: MemberVisit, work: Work<Result>, end: FormEnd<Result>) =>
  runForm<Result>(visit, (actor) => actor.run((tx) => work(tx, actor)), { ...end, unseen: true });
