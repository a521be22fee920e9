import { type Static, Type } from "typebox";
import * as log from "../../community/log/log.ts";
import * as people from "../../community/moderation/people.ts";
import * as reports from "../../community/moderation/reports.ts";
import { listApplied } from "../../community/users/sign-ups.ts";
import { MODERATION as PATH, withQuery } from "../../platform/paths.ts";
import type { Forms, MemberVisit, OwnPage } from "../forms.tsx";
import { Folded, NoRows, Tabs } from "../kit/components.tsx";
import { countedPage, CountedPages, cursor, cursorPage, type Place } from "../kit.tsx";
import { actingRoutes } from "./acting.tsx";
import { staffPage } from "./list.tsx";
import { personPage } from "./person.tsx";
import { Entries, Reported } from "./rows.tsx";

const Query = Type.Object({ ...CountedPages.properties, done: Type.Optional(Type.String()) });
type ListVisit = MemberVisit<Static<typeof Query>>;
const LogQuery = Type.Object({ cursor, act: Type.Optional(Type.Enum([...log.ACTS])) });
const Id = Type.Object({ id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) });

const submit = async () => ({ to: PATH });

export function moderationRoutes(forms: Forms): void {
  forms.staff(PATH, { fields: {}, querystring: Query, show: queuePage, submit });
  forms.staff(`${PATH}/new`, { fields: {}, querystring: Query, show: newPage, submit });
  forms.staff(`${PATH}/log`, { fields: {}, querystring: LogQuery, show: logPage, submit });
  forms.staff(`${PATH}/people/:id`, { fields: {}, querystring: Query, params: Id, show: personPage, submit });
  actingRoutes(forms);
}

const PER_PAGE = 20;

async function queuePage(visit: ListVisit): Promise<OwnPage> {
  const db = visit.services.db.main;
  const list = await countedPage(visit, { path: PATH, perPage: PER_PAGE }, (cut) => reports.queue(db, cut));
  const rows = list.rows.map((row) => ({ ...row, author_id: row.reports[0]?.author_id ?? 0 }));
  const waiting = (await listApplied(db)).length;
  return listPage(visit, { title: "Moderation", at: PATH, waiting, place: list.place, rows });
}

async function newPage(visit: ListVisit): Promise<OwnPage> {
  const at = `${PATH}/new`;
  const { rows, place } = await countedPage(visit, { path: at, perPage: PER_PAGE }, (cut) =>
    people.newTexts(visit.services.db.main, visit.site.now, cut),
  );
  const listed = rows.map((thing) => ({ ...thing, thing, reports: [] }));
  return listPage(visit, { title: "Texts of accounts younger than 3 days", at, place, rows: listed });
}

interface Listed extends Pick<Parameters<typeof staffPage>[0], "title" | "at" | "waiting"> {
  place: Place;
  rows: readonly (Awaited<ReturnType<typeof reports.queue>>[number] & { author_id: number })[];
}

async function listPage({ services, query, site }: ListVisit, { rows, ...page }: Listed): Promise<OwnPage> {
  const ids = rows.map(({ author_id }) => author_id);
  const authors = await people.list(services.db.main, ids);
  const body = (
    <>
      {rows.length === 0 && <NoRows noun="texts" first={page.place.first} title="Nothing to decide" />}
      {rows.map((row) => (
        <Reported {...row} author={authors.get(row.author_id)} now={site.now} back={page.at} />
      ))}
    </>
  );
  return staffPage({ ...page, done: query.done, body });
}

async function logPage(visit: MemberVisit<Static<typeof LogQuery>>): Promise<OwnPage> {
  const { services, query, site } = visit;
  const at = `${PATH}/log`;
  const { part, place } = await cursorPage(visit, 50, (_, cut) => log.pageOf(services.db.main, query, cut));
  const filters = [undefined, ...log.ACTS].map((act) => ({
    label: act?.replaceAll("_", " ") ?? "All",
    href: withQuery(at, { ...(act && { act }) }),
    isCurrent: act === query.act,
  }));
  return staffPage({
    title: "Log",
    at,
    place,
    body: (
      <>
        <Folded summary="Acts">
          <Tabs label="Acts" wraps tabs={filters} />
        </Folded>
        {part.rows.length === 0 && <NoRows noun="entries" first={place.first} title="No entries" />}
        <Entries list={part.rows} now={site.now} />
      </>
    ),
  });
}
