import { type Static, Type } from "typebox";
import * as log from "../../community/log/log.ts";
import * as people from "../../community/moderation/people.ts";
import * as reports from "../../community/moderation/reports.ts";
import { MODERATION as PATH, withQuery } from "../../platform/paths.ts";
import { DoneQuery } from "../account/settings.tsx";
import type { Cut } from "../../http/pages.ts";
import type { Forms, MemberVisit, OwnPage } from "../forms.tsx";
import { Folded, NoRows, Tabs } from "../kit/components.tsx";
import { countedPage, CountedPages, cursor, cursorPage } from "../kit.tsx";
import { actingRoutes, mayActOn } from "./acting.tsx";
import { staffPage } from "./kit.tsx";
import { Entries, Reported } from "./rows.tsx";

const Query = Type.Object({ ...CountedPages.properties, ...DoneQuery.properties });
const LogQuery = Type.Object({
  ...DoneQuery.properties,
  cursor,
  act: Type.Optional(Type.Enum([...log.ACTS])),
});

export function moderationRoutes(forms: Forms): void {
  textsRoute(forms, PATH, "Reports", async ({ services }, cut) => {
    const rows = await reports.queue(services.db.main, cut);
    return rows.map((row) => ({ ...row, author_id: row.reports[0]?.author_id ?? 0 }));
  });
  textsRoute(
    forms,
    `${PATH}/new`,
    "Texts of accounts younger than 3 days",
    async ({ services, site }, cut) => {
      const rows = await people.newTexts(services.db.main, site.now, cut);
      return rows.map((thing) => ({ ...thing, thing }));
    },
  );
  forms.staff(`${PATH}/log`, { querystring: LogQuery, show: logPage });
  actingRoutes(forms);
}

type Listed = Pick<Parameters<typeof Reported>[0], "kind" | "id" | "thing" | "reports"> & {
  author_id: number;
};

/** Mounts a list of what moderators decide on. */
function textsRoute(
  forms: Forms,
  path: string,
  title: string,
  load: (visit: MemberVisit, cut: Cut) => Promise<Listed[]>,
): void {
  forms.staff(path, {
    querystring: Query,
    async show(visit) {
      const { rows, place } = await countedPage(visit, { path, perPage: 20 }, (cut) => load(visit, cut));
      const authorIds = rows.map(({ author_id }) => author_id);
      const authors = await people.list(visit.services.db.main, authorIds);
      const body = (
        <>
          {rows.length === 0 && <NoRows noun="texts" first={place.first} title="Nothing to decide" />}
          {rows.map((row) => {
            const author = authors.get(row.author_id);
            const mayAct = mayActOn(visit.viewer, author);
            return <Reported {...row} author={author} mayAct={mayAct} now={visit.site.now} back={path} />;
          })}
        </>
      );
      return staffPage(visit, { title, place, body });
    },
  });
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
