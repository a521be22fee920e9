import { type Static, Type } from "typebox";
import * as log from "../../community/log/log.ts";
import * as people from "../../community/moderation/people.ts";
import * as reports from "../../community/moderation/reports.ts";
import { listApplied } from "../../community/users/sign-ups.ts";
import { MODERATION as PATH, withQuery } from "../../platform/paths.ts";
import type { Forms, MemberVisit, OwnPage } from "../forms.tsx";
import { NoRows, Tabs } from "../kit/components.tsx";
import { countedPage, CountedPages, cursor, cursorPage } from "../kit.tsx";
import { actingRoutes } from "./acting.tsx";
import { staffPage } from "./list.tsx";
import { personPage } from "./person.tsx";
import { Entries, Reported, Reports } from "./rows.tsx";

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
  const { services, query, site } = visit;
  const db = services.db.main;
  const { rows, place } = await countedPage(visit, { path: PATH, perPage: PER_PAGE }, (cut) =>
    reports.queue(db, cut),
  );
  const authors = await people.list(
    db,
    rows.flatMap((row) => row.reports[0]?.author_id ?? []),
  );
  return staffPage({
    title: "Moderation",
    at: PATH,
    waiting: (await listApplied(db)).length,
    done: query.done,
    place,
    body: (
      <>
        {rows.length === 0 && <NoRows noun="reports" first={place.first} title="No open reports" />}
        {rows.map((row) => (
          <Reported {...row} author={authors.get(row.reports[0]?.author_id ?? 0)} now={site.now}>
            <Reports list={row.reports} now={site.now} />
          </Reported>
        ))}
      </>
    ),
  });
}

async function newPage(visit: ListVisit): Promise<OwnPage> {
  const { services, query, site } = visit;
  const [db, at] = [services.db.main, `${PATH}/new`];
  const { rows, place } = await countedPage(visit, { path: at, perPage: PER_PAGE }, (cut) =>
    people.newTexts(db, site.now, cut),
  );
  const ids = rows.map(({ author_id }) => author_id);
  const authors = await people.list(db, ids);
  return staffPage({
    title: "New texts",
    at,
    done: query.done,
    place,
    body: (
      <>
        <p class="muted">Texts of accounts that are younger than 3 days.</p>
        {rows.length === 0 && <NoRows noun="texts" first={place.first} title="No new texts" />}
        {rows.map((thing) => (
          <Reported {...thing} thing={thing} author={authors.get(thing.author_id)} now={site.now} back={at} />
        ))}
      </>
    ),
  });
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
        <Tabs label="Acts" wraps tabs={filters} />
        {part.rows.length === 0 && <NoRows noun="entries" first={place.first} title="No entries" />}
        <Entries list={part.rows} now={site.now} />
      </>
    ),
  });
}
