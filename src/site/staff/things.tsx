import type { ComponentChildren } from "preact";
import { type Static, Type } from "typebox";
import type { FormFiles } from "../../http/form-body.ts";
import type { Pictured } from "../../content/images/profile-picture.ts";
import type { Kind } from "../../content/images/identicon.ts";
import { notFound } from "../../platform/errors.ts";
import { ADMIN, withQuery } from "../../platform/paths.ts";
import { Sections } from "../account/settings.tsx";
import { type Done, type Forms, type MemberVisit, newlyTyped, type OwnPage } from "../forms.tsx";
import { Avatar, NoRows, Pager } from "../kit/components.tsx";
import { ErrorSummary, Form, type FormFields, FormToken, type Typed } from "../kit/forms.tsx";

const SECTIONS = [
  ["", "State"],
  ["/settings", "Settings"],
  ["/pages", "Pages"],
  ["/people", "People"],
  ["/tags", "Tags"],
  ["/organizations", "Organizations"],
].map(([path = "", label = ""]) => ({ path: ADMIN + path, label }));

const DoneQuery = Type.Object({ done: Type.Optional(Type.Literal("1")) });
export type ThingVisit = MemberVisit<Static<typeof DoneQuery>, { key: string }>;

export interface Sent<Of> {
  visit: ThingVisit;
  of: Of;
  values: Record<string, string>;
  files: FormFiles;
  /** What the button of a row says after the name of its act. */
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
  values?(of: Of): Record<string, string>;
  isFor?(of: Of): boolean;
  submit(sent: Sent<Of>): Promise<OwnPage | Done | undefined>;
}

interface Thing<Of> {
  /** For whom it is there. */
  isFor: "admins" | "member";
  access?: "recent";
  /** Undefined for what isn't there, or isn't the viewer's. */
  find(visit: ThingVisit): Promise<Of | undefined>;
  title(of: Of): string;
  body?(of: Of, visit: ThingVisit): ComponentChildren | Promise<ComponentChildren>;
  /** The first is that of a form that names none. */
  acts: Readonly<Record<string, Act<Of>>>;
}

/** Mounts the page of a thing, with a form for each of its acts. */
export function thingRoute<Of>(
  forms: Forms,
  path: string,
  { isFor, find, title, body, acts, access }: Thing<Of>,
): void {
  const found = async (visit: ThingVisit): Promise<Of> => {
    const of = await find(visit);
    if (of === undefined) throw notFound();
    return of;
  };
  const page = async (visit: ThingVisit, typed: Typed, above?: ComponentChildren): Promise<OwnPage> => {
    const of = await found(visit);
    const [path, shown] = [pathOf(visit), [above, await body?.(of, visit)]];
    const content = (
      <ActForms path={path} of={of} name={title(of)} acts={acts} typed={typed} children={shown} />
    );
    return { ...staffPage(visit, title(of), content, typed), isSecret: above !== undefined };
  };
  forms[isFor](path, {
    ...(access && { access }),
    fields: Object.assign({}, ...Object.values(acts).map(({ fields }) => fields)) as FormFields,
    ...(path.includes(":") && { params: Type.Object({ key: Type.String() }) }),
    querystring: DoneQuery,
    show: (visit: ThingVisit, typed) => page(visit, typed),
    async submit(visit: ThingVisit, { values, files }) {
      const of = await found(visit);
      const [name = "", ...args] = (values["act"] ?? Object.keys(acts)[0] ?? "").split(" ");
      const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
      if (act === undefined || act.isFor?.(of) === false) throw notFound();
      const show = (above: ComponentChildren) => page(visit, { ...newlyTyped(visit.site), values }, above);
      const to = { to: `${pathOf(visit)}?done=1` };
      return act.submit({ visit, of, values, files, arg: args.join(" "), to, show });
    },
  });
}

const pathOf = ({ request }: ThingVisit) => request.url.split("?")[0] ?? "";

/** A page beside the links of administration; one that is also for others stands alone. */
function staffPage(visit: ThingVisit, title: string, body: ComponentChildren, typed?: Typed): OwnPage {
  const path = pathOf(visit);
  const current = SECTIONS.findLast((section) => path.startsWith(section.path))?.path;
  const content = (
    <>
      {typed && <ErrorSummary faults={typed.faults} />}
      {visit.query.done && (
        <p class="done" role="status">
          Done.
        </p>
      )}
      <h1 class="page-title" dir="auto">
        {title}
      </h1>
      {body}
    </>
  );
  if (current === undefined) return { title, path, body: <div class="narrow flow">{content}</div> };
  const page = <Sections name="Administration" sections={SECTIONS} current={current} children={content} />;
  return { title: `${title} – Administration`, path, body: page };
}

interface ActFormsProps<Of> extends Pick<Thing<Of>, "acts"> {
  path: string;
  of: Of;
  name: string;
  typed: Typed;
  children: ComponentChildren;
}

/** Acts without fields are buttons of one form, as those of rows. */
function ActForms<Of>({ path, of, name, acts, typed, children }: ActFormsProps<Of>) {
  const shown = Object.entries(acts).filter(([, { label, isFor }]) => label && isFor?.(of) !== false);
  return (
    <>
      <form id="rows" method="post" action={path}>
        <FormToken typed={typed} />
      </form>
      {children}
      <div class="acts">
        {shown.map(
          ([act, { label = "", fields }]) => !fields && <RowButton act={act} of={name} children={label} />,
        )}
      </div>
      {shown.map(
        ([act, { label = "", after, fields, values }]) =>
          fields && (
            <Form
              action={path}
              typed={{ ...typed, values: { ...values?.(of), ...typed.values } }}
              fields={fields}
              submit={label}
              hidden={{ act }}
              after={after}
            />
          ),
      )}
    </>
  );
}

export const RowButton = ({ act, of, children }: { act: string; of: string; children: string }) => (
  <button class="act" form="rows" name="act" value={act}>
    {children}
    <span class="visually-hidden"> {of}</span>
  </button>
);

interface Row {
  name: string;
  notes: readonly (string | false | null)[];
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

const Search = Type.Object({
  ...DoneQuery.properties,
  q: Type.Optional(Type.String({ maxLength: 254, "x-any-text": true })),
  after: Type.Optional(Type.String({ maxLength: 254, "x-any-text": true })),
});

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
    fields: {},
    querystring: Search,
    async show(visit: MemberVisit<Static<typeof Search>>) {
      const { q = "", after = "" } = visit.query;
      const rows = await load(visit.services.db.main, { q, after, limit: PER_PAGE + 1 });
      const last = rows.length > PER_PAGE ? rows[PER_PAGE - 1]?.key : undefined;
      return staffPage(
        visit as ThingVisit,
        title,
        <>
          <form class="form field" role="search" action={path}>
            <label for="q">{search}</label>
            <input type="search" id="q" name="q" value={q} maxLength={254} />
            <button class="button">Search</button>
          </form>
          {rows.length === 0 && (
            <NoRows noun="rows" first={after === "" ? undefined : path} title="Nothing found" />
          )}
          <Rows rows={rows.slice(0, PER_PAGE)} />
          <Pager next={last && withQuery(path, { q, after: last })} of="Previous, Next" />
        </>,
      );
    },
    submit: async () => ({ to: path }),
  });
}
