import type { ComponentChildren } from "preact";
import { Type } from "typebox";
import * as articles from "../../community/articles/articles.ts";
import * as removal from "../../community/articles/removal.ts";
import * as comments from "../../community/comments/comments.ts";
import * as listings from "../../community/listings/listings.ts";
import * as acts from "../../community/moderation/acts.ts";
import * as people from "../../community/moderation/people.ts";
import * as reports from "../../community/moderation/reports.ts";
import { find } from "../../community/moderation/things.ts";
import type { Author, Viewer } from "../../http/actor.ts";
import { AppError, invalid, notFound } from "../../platform/errors.ts";
import { checked, choice, readField } from "../../platform/fields/fields.ts";
import { textField } from "../../community/users/fields.ts";
import { MODERATION, ownPath, personPath } from "../../platform/paths.ts";
import { narrowPage } from "../account/parts.tsx";
import { doneAt } from "../account/settings.tsx";
import { type Forms, runForm } from "../forms.tsx";
import { Form, type FormFields } from "../kit/forms.tsx";
import { NOUNS, Thing, titleOf } from "../report.tsx";

interface Given {
  kind: keyof typeof NOUNS;
  id: number;
  reason: string;
  values: Record<string, string>;
}

/** A boolean says whether something was changed. */
type Verb = (actor: Author<never>, given: Given) => Promise<unknown>;

/** The days of a suspension; none is for good. */
export const DAYS = { "1": "1 day", "7": "7 days", "30": "30 days", "": "for good" };

/** The acts on each kind of thing, by the last part of their addresses. */
const VERBS: Record<keyof typeof NOUNS, Readonly<Record<string, Verb>>> = {
  article: {
    dismiss: reports.dismiss,
    unpublish: (actor, { id, reason }) => articles.unpublish(actor, { id, reason, isStaff: true }),
    delete: (actor, { id, reason }) => removal.remove(actor, id, { reason }),
    restore: (actor, { id, reason }) => removal.restore(actor, id, { reason }),
  },
  comment: {
    dismiss: reports.dismiss,
    hide: (actor, { id, reason }) => comments.setHidden(actor, { id, hidden: true, staff: { reason } }),
    show: (actor, { id, reason }) => comments.setHidden(actor, { id, hidden: false, staff: { reason } }),
    delete: (actor, { id, reason }) => comments.remove(actor, id, { reason }),
  },
  listing: {
    dismiss: reports.dismiss,
    unpublish: (actor, { id, reason }) => listings.unpublish(actor, id, reason),
    restore: (actor, { id, reason }) => listings.restore(actor, id, reason),
  },
  user: {
    dismiss: reports.dismiss,
    spam: (actor, { id, reason }) => acts.suspend(actor, { id, reason, isSpam: true }),
    async suspend(actor, { id, reason, values }) {
      const days = readField(choice(DAYS), values["days"], "days");
      return acts.suspend(actor, { id, reason, days: Number(days) || undefined });
    },
    lift: acts.lift,
    note: (actor, { id, values }) => acts.setNote(actor, { id, note: values["note"] ?? "" }),
  },
};

const FIELDS = {
  reason: { label: "Reason", maxLength: 1_000 },
} as const satisfies FormFields;
const REASON = { reason: textField(FIELDS.reason.maxLength) };
const ALL: FormFields = { ...FIELDS, days: { label: "Days" }, note: { label: "Note", maxLength: 2_000 } };

/** The rule of `requireOver`, by which pages offer acts. */
export const mayActOn = ({ id, role }: Viewer, person: people.Account | undefined) =>
  person === undefined || (id !== person.id && (role === "admin" || person.role === "member"));

/** POST does it, or shows why not; GET asks before what is deleted. */
export function actingRoutes(forms: Forms): void {
  forms.staff(`${MODERATION}/:kind/:id/:act`, {
    fields: ALL,
    params: Type.Object({ ...Thing.properties, act: Type.String() }),
    async show({ params, services }, typed) {
      const { kind, id, act } = params;
      verbOf(kind, act);
      const db = services.db.main;
      const thing = await find(db, params);
      if (typed.faults.length === 0 && (act !== "delete" || thing === undefined)) throw notFound();
      const author = thing && (await people.list(db, [thing.author_id])).get(thing.author_id);
      const { reason: _, ...hidden } = typed.values;
      const submit = act === "spam" ? "Mark as spam" : (act[0] ?? "").toUpperCase() + act.slice(1);
      const cancel = <a href={ownPath(hidden["back"] ?? MODERATION)}>Cancel</a>;
      const action = `${MODERATION}/${kind}/${id}/${act}`;
      const body = (
        <>
          <p dir="auto">
            {thing && <a href={thing.path}>{titleOf(kind, thing)}</a>}
            {author && [" by ", <a href={personPath(author.id)}>@{author.username}</a>]}
          </p>
          <Form
            action={action}
            typed={typed}
            fields={FIELDS}
            submit={submit}
            hidden={hidden}
            after={cancel}
          />
        </>
      );
      const title = act === "delete" ? `Delete this ${NOUNS[kind]}?` : submit;
      return narrowPage({ title, typed, body });
    },
    async submit(visit, { values }) {
      const { kind, id, act } = visit.params;
      const verb = verbOf(kind, act);
      const { reason } = checked(REASON, { reason: values["reason"] ?? "" });
      const given = { kind, id, reason: reason ?? "", values };
      const back = ownPath(values["back"] ?? MODERATION);
      const end = (result: unknown) => ({ to: doneAt(back, result === false ? "meanwhile" : "acted") });
      const run = (actor: Author) => verb(actor as Author<never>, given).catch(asFault);
      return runForm(visit, run, { ...end(true), end });
    },
  });
}

function verbOf(kind: keyof typeof NOUNS, act: string): Verb {
  const verb = Object.hasOwn(VERBS[kind], act) ? VERBS[kind][act] : undefined;
  if (verb === undefined) throw notFound();
  return verb;
}

function asFault(error: unknown): never {
  const isGone = error instanceof AppError && error.code === "not_found";
  throw isGone ? invalid("It is gone: its author or someone else has deleted it") : error;
}

interface ActFormProps {
  on: { kind: string; id: number };
  /** The acts with the words of their buttons. */
  acts: Readonly<Record<string, string>>;
  back: string;
  children?: ComponentChildren;
}

/** The buttons of a row, which share a reason. */
export function ActForm({ on: { kind, id }, acts, back, children }: ActFormProps) {
  const field = `reason-${kind}-${id}`;
  if (Object.keys(acts).length === 0) return null;
  return (
    <form method="post" class="acts field">
      {/* Enter in the reason presses the first button. */}
      <button disabled hidden />
      <input type="hidden" name="back" value={back} />
      <label class="small" for={field}>
        Reason
      </label>
      <input id={field} name="reason" type="text" maxLength={1_000} />
      {children}
      {Object.entries(acts).map(([act, label]) => (
        <button class="button" formaction={`${MODERATION}/${kind}/${id}/${act}`}>
          {label}
        </button>
      ))}
    </form>
  );
}
