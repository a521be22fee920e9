import type { ComponentChildren } from "preact";
import { type Static, Type } from "typebox";
import type { Author } from "../../http/actor.ts";
import type { FormFiles } from "../../http/form-body.ts";
import type { Pictured } from "../../content/images/profile-picture.ts";
import type { Kind } from "../../content/images/identicon.ts";
import { notFound } from "../../platform/errors.ts";
import { ADMIN, APPLICATIONS, MODERATION, ORGANIZATIONS, withQuery } from "../../platform/paths.ts";
import { narrowPage } from "../account/parts.tsx";
import { Done as DoneWords, doneAt, DoneQuery, sectionPage } from "../account/settings.tsx";
import { type Done, type Forms, type MemberVisit, newlyTyped, type OwnPage, runForm } from "../forms.tsx";
import { Avatar, NoRows, Pager } from "../kit/components.tsx";
import { CountedPages, type Place } from "../kit.tsx";
import { Form, type FormFields, FormToken, type Typed } from "../kit/forms.tsx";

const OF_STAFF = [
  { path: MODERATION, label: "Reports" },
  { path: `${MODERATION}/new`, label: "New texts" },
  { path: `${MODERATION}/log`, label: "Log" },
  { path: APPLICATIONS, label: "Applications" },
];
const OF_ADMINS = [
  { path: ADMIN, label: "State" },
  { path: `${ADMIN}/settings`, label: "Settings and pages" },
  { path: `${ADMIN}/people`, label: "People" },
  { path: `${ADMIN}/tags`, label: "Tags" },
  { path: `${ADMIN}/organizations`, label: "Organizations" },
];

interface StaffPage {
  title: string;
  typed?: Typed;
  place?: Partial<Place>;
  body: ComponentChildren;
}

const pathOf = ({ request }: MemberVisit) => request.url.split("?")[0] ?? "";

/** A page beside the links of staff. That of an organization, which is also for members, stands alone. */
export function staffPage(
  visit: MemberVisit<Static<typeof DoneQuery>>,
  { title, typed, place = {}, body }: StaffPage,
): OwnPage {
  const [path, done] = [pathOf(visit), visit.query];
  if (path.startsWith(ORGANIZATIONS))
    return narrowPage({ title, path, typed, body: [<DoneWords {...done} />, body] });
  const sections = visit.viewer.role === "admin" ? [...OF_STAFF, ...OF_ADMINS] : OF_STAFF;
  const listed = [body, <Pager prev={place.prev} next={place.next} />];
  return sectionPage({ name: "Staff", sections, path, title, typed, done, ...place, body: listed });
}

const ThingQuery = Type.Object({ ...CountedPages.properties, ...DoneQuery.properties });
export type ThingVisit = MemberVisit<Static<typeof ThingQuery>, { key: string }>;

export interface Sent<Of> {
  visit: ThingVisit;
  of: Of;
  values: Record<string, string>;
  files: FormFiles;
  /** The words behind the name of the act in the value of a button. */
  arg: string;
  /** Back to the page. */
  to: Done;
  /** The page with this above it, and with what was typed. */
  show(above: ComponentChildren): Promise<OwnPage>;
}

export interface Act<Of> {
  /** The words of its button; none where the body of the page has buttons of it. */
  label?: string;
  /** Stands after it. */
  after?: ComponentChildren;
  fields?: FormFields;
  /** Those of its fields; `was` goes along, by which it knows what they were when the form was shown. */
  values?(of: Of): Record<string, string>;
  isFor?(of: Of): boolean;
  submit(sent: Sent<Of>): Promise<OwnPage | Done | undefined>;
}

/** Runs a verb, and leads back to the page. */
export const running =
  <Of,>(verb: (actor: Author<never>, sent: Sent<Of>) => Promise<unknown>): Act<Of>["submit"] =>
  (sent) =>
    runForm(sent.visit, (actor) => verb(actor as Author<never>, sent), sent.to);

type Part<Of> = (of: Of, visit: ThingVisit) => ComponentChildren | Promise<ComponentChildren>;

interface Thing<Of> {
  /** For whom it is there. */
  isFor: "admins" | "staff" | "member";
  access?: "recent";
  /** Undefined for what isn't there, or isn't the viewer's. */
  find(visit: ThingVisit): Promise<Of | undefined>;
  title(of: Of): string;
  body?: Part<Of>;
  /** Stands after its acts. */
  below?: Part<Of>;
  /** The first is that of a form that names none. */
  acts: Readonly<Record<string, Act<Of>>>;
}

/** Mounts the page of a thing, with a form for each of its acts, or a button for those without fields. */
export function thingRoute<Of>(
  forms: Forms,
  path: string,
  { isFor, find, title, body, below, acts, access }: Thing<Of>,
): void {
  const found = async (visit: ThingVisit): Promise<Of> => {
    const of = await find(visit);
    if (of === undefined) throw notFound();
    return of;
  };
  const show = async (visit: ThingVisit, typed: Typed, above?: ComponentChildren): Promise<OwnPage> => {
    const of = await found(visit);
    const [action, name] = [pathOf(visit), title(of)];
    const content = (
      <>
        <RowForm action={action} typed={typed} />
        {above}
        {await body?.(of, visit)}
        <ActForms action={action} of={of} name={name} acts={acts} typed={typed} />
        {await below?.(of, visit)}
      </>
    );
    const page = staffPage(visit, { title: name, typed, body: content });
    return { ...page, isSecret: above !== undefined };
  };
  forms[isFor](path, {
    ...(access && { access }),
    fields: Object.assign({}, ...Object.values(acts).map(({ fields }) => fields)) as FormFields,
    ...(path.includes(":") && { params: Type.Object({ key: Type.String() }) }),
    querystring: ThingQuery,
    show: (visit: ThingVisit, typed) => show(visit, typed),
    async submit(visit: ThingVisit, { values, files }) {
      const of = await found(visit);
      const [name = "", ...args] = (values["act"] ?? Object.keys(acts)[0] ?? "").split(" ");
      const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
      if (act === undefined || act.isFor?.(of) === false) throw notFound();
      return act.submit({
        visit,
        of,
        values,
        files,
        arg: args.join(" "),
        to: { to: doneAt(pathOf(visit), "acted") },
        show: (above) => show(visit, { ...newlyTyped(visit.site), values }, above),
      });
    },
  });
}

interface ActFormsProps<Of> extends Pick<Thing<Of>, "acts"> {
  action: string;
  of: Of;
  name: string;
  typed: Typed;
}

function ActForms<Of>({ action, of, name, acts, typed }: ActFormsProps<Of>) {
  const shown = Object.entries(acts).filter(([, { label, isFor }]) => label && isFor?.(of) !== false);
  return shown.map(([act, { label = "", after, fields, values: first }]) => {
    if (fields === undefined) return <RowButton act={act} of={name} children={label} />;
    const values: Record<string, string> = { ...first?.(of), ...typed.values };
    return (
      <Form
        action={action}
        typed={{ ...typed, values }}
        fields={fields}
        submit={label}
        hidden={{ act, was: values["was"] }}
        after={after}
      />
    );
  });
}

/** The form of the buttons in rows. */
export const RowForm = ({ action, typed }: { action: string; typed: Typed }) => (
  <form id="rows" method="post" action={action}>
    <FormToken typed={typed} />
  </form>
);

export const RowButton = ({ act, of, children }: { act: string; of: string; children: string }) => (
  <button class="act" form="rows" name="act" value={act}>
    {children}
    <span class="visually-hidden"> {of}</span>
  </button>
);

interface Row {
  name: ComponentChildren;
  notes: readonly ComponentChildren[];
  href?: string;
  picture?: Pictured<Kind>;
  buttons?: ComponentChildren;
}

export const Rows = ({ rows }: { rows: readonly Row[] }) => (
  <ul class="rows">
    {rows.map(({ name, notes, href, picture, buttons }) => (
      <li class="byline">
        {picture && <Avatar of={picture} side={32} />}
        <div>
          <p dir="auto">{href === undefined ? name : <a href={href}>{name}</a>}</p>
          <p class="meta">{notes.map((note) => note && <span>{note}</span>)}</p>
          {buttons && <div class="acts">{buttons}</div>}
        </div>
      </li>
    ))}
  </ul>
);

const text = Type.Optional(Type.String({ maxLength: 254, "x-any-text": true }));
const SearchQuery = Type.Object({ ...DoneQuery.properties, q: text, after: text });

interface List {
  title: string;
  /** The words beside the field of its search. */
  search: string;
  rows(
    db: MemberVisit["services"]["db"]["main"],
    part: { q: string; after: string; limit: number },
  ): Promise<readonly (Row & { key: string })[]>;
}

const PER_PAGE = 50;

/** Mounts a list of administration that is searched, and goes on after the key of its last row. */
export function listRoute(forms: Forms, path: string, { title, search, rows: load }: List): void {
  forms.admins(path, {
    querystring: SearchQuery,
    async show(visit) {
      const { q = "", after = "" } = visit.query;
      const rows = await load(visit.services.db.main, { q, after, limit: PER_PAGE + 1 });
      const last = rows.length > PER_PAGE ? rows[PER_PAGE - 1]?.key : undefined;
      const body = (
        <>
          <form class="form field" role="search" action={path}>
            <label for="q">{search}</label>
            <input type="search" id="q" name="q" value={q} maxLength={254} />
            <button class="button">Search</button>
          </form>
          {rows.length === 0 && <NoRows noun="rows" first={after ? path : undefined} title="Nothing found" />}
          <Rows rows={rows.slice(0, PER_PAGE)} />
        </>
      );
      return staffPage(visit, { title, body, place: { next: last && withQuery(path, { q, after: last }) } });
    },
  });
}
