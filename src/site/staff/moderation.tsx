import { type Static, Type } from "typebox";
import * as log from "../../community/log/log.ts";
import * as people from "../../community/moderation/people.ts";
import * as reports from "../../community/moderation/reports.ts";
import { listApplied } from "../../community/users/sign-ups.ts";
import { APPLICATIONS, MODERATION as PATH, withQuery } from "../../platform/paths.ts";
import type { Forms, MemberVisit, OwnPage } from "../forms.tsx";
import { counted, Folded, NoRows, Tabs } from "../kit/components.tsx";
import { countedPage, CountedPages, cursor, cursorPage } from "../kit.tsx";
import { actingRoutes } from "./acting.tsx";
import { DoneQuery, staffPage } from "./kit.tsx";
import { Entries, Reported } from "./rows.tsx";

const Query = Type.Object({ ...CountedPages.properties, ...DoneQuery.properties });
type ListVisit = MemberVisit<Static<typeof Query>>;
const LogQuery = Type.Object({
  ...DoneQuery.properties,
  cursor,
  act: Type.Optional(Type.Enum([...log.ACTS])),
});

export function moderationRoutes(forms: Forms): void {
  forms.staff(PATH, { querystring: Query, show: queuePage });
  forms.staff(`${PATH}/new`, { querystring: Query, show: newPage });
  forms.staff(`${PATH}/log`, { querystring: LogQuery, show: logPage });
  actingRoutes(forms);
}

const PER_PAGE = 20;

async function queuePage(visit: ListVisit): Promise<OwnPage> {
  const { services, site } = visit;
  const db = services.db.main;
  const { rows, place } = await countedPage(visit, { path: PATH, perPage: PER_PAGE }, (cut) =>
    reports.queue(db, cut),
  );
  const waiting = (await listApplied(db)).length;
  const authorOf = ({ reports: [report] }: (typeof rows)[number]) => report?.author_id ?? 0;
  const authors = await people.list(db, rows.map(authorOf));
  const body = (
    <>
      {waiting > 0 && <a href={APPLICATIONS}>{counted(waiting, "application")} to join</a>}
      {rows.length === 0 && <NoRows noun="reports" first={place.first} title="Nothing to decide" />}
      {rows.map((row) => (
        <Reported {...row} author={authors.get(authorOf(row))} now={site.now} back={PATH} />
      ))}
    </>
  );
  return staffPage(visit, { title: "Reports", place, body });
}

async function newPage(visit: ListVisit): Promise<OwnPage> {
  const [db, { now }, path] = [visit.services.db.main, visit.site, `${PATH}/new`];
  const { rows, place } = await countedPage(visit, { path, perPage: PER_PAGE }, (cut) =>
    people.newTexts(db, now, cut),
  );
  const authors = await people.list(
    db,
    rows.map(({ author_id }) => author_id),
  );
  const body = (
    <>
      {rows.length === 0 && <NoRows noun="texts" first={place.first} title="No new texts" />}
      {rows.map((row) => (
        <Reported {...row} thing={row} author={authors.get(row.author_id)} now={now} back={path} />
      ))}
    </>
  );
  return staffPage(visit, { title: "Texts of accounts younger than 3 days", place, body });
}

async function logPage(visit: MemberVisit<Static<typeof LogQuery>>): Promise<OwnPage> {
  const { services, query, site } = visit;
  const { part, place } = await cursorPage(visit, 50, (_, cut) => log.pageOf(services.db.main, query, cut));
  const filters = [undefined, ...log.ACTS].map((act) => ({
    label: act?.replaceAll("_", " ") ?? "All",
    href: withQuery(`${PATH}/log`, { ...(act && { act }) }),
    isCurrent: act === query.act,
  }));
  const body = (
    <>
      <Folded summary="Acts">
        <Tabs label="Acts" wraps tabs={filters} />
      </Folded>
      {part.rows.length === 0 && <NoRows noun="entries" first={place.first} title="No entries" />}
      <Entries list={part.rows} now={site.now} />
    </>
  );
  return staffPage(visit, { title: "Log", place, body });
}
