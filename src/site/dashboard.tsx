import { type Static, Type } from "typebox";
import { type DashboardTab, listOwn } from "../community/articles/own-list.ts";
import { KEPT_DAYS, restore, type Restored } from "../community/articles/removal.ts";
import type { Cut } from "../http/pages.ts";
import { idIn } from "../platform/fields/fields.ts";
import { articlePath, DASHBOARD, NEW_ARTICLE } from "../platform/paths.ts";
import { narrowPage } from "./account/parts.tsx";
import { editPath } from "./editor-form.tsx";
import { type Forms, type MemberVisit, type OwnPage, runForm } from "./forms.tsx";
import { counted, Day, NoRows, Pager, Tabs } from "./kit/components.tsx";
import { FormToken, type Typed } from "./kit/forms.tsx";
import { cursor, cursorPage } from "./kit.tsx";

const TABS = { published: "Published", drafts: "Drafts", scheduled: "Scheduled", deleted: "Deleted" };

const Query = Type.Object({
  cursor,
  state: Type.Enum(Object.keys(TABS) as DashboardTab[], { default: "published" }),
});

export function dashboardRoutes(forms: Forms): void {
  forms.member(DASHBOARD, {
    fields: {},
    querystring: Query,
    show: dashboardPage,
    submit: (visit, { values }) =>
      runForm<Restored>(visit, (actor) => restore(actor, idIn(values["restore"] ?? "") ?? 0), {
        to: DASHBOARD,
        end: ({ state }) => ({ to: state in TABS ? tabPath(state as DashboardTab) : tabPath("drafts") }),
      }),
  });
}

const tabPath = (tab: DashboardTab) => (tab === "published" ? DASHBOARD : `${DASHBOARD}?state=${tab}`);

async function dashboardPage(visit: MemberVisit<Static<typeof Query>>, typed: Typed): Promise<OwnPage> {
  const { session, services, query, site } = visit;
  const tab = query.state;
  const load = (_: unknown, cut: Cut) => listOwn(services.db.main, session.id, tab, cut);
  const { part, place } = await cursorPage(visit, 30, load);
  return narrowPage({
    title: "Dashboard",
    ...place,
    typed,
    body: (
      <>
        <Tabs
          label="Your articles"
          tabs={(Object.keys(TABS) as DashboardTab[]).map((each) => ({
            label: TABS[each],
            href: tabPath(each),
            isCurrent: each === tab,
          }))}
        />
        {tab === "deleted" && <p>A deleted article can be restored for {KEPT_DAYS} days.</p>}
        {part.rows.length === 0 && (
          <NoRows noun="articles" first={place.first} title="No articles here">
            <p>
              <a href={NEW_ARTICLE}>Write one</a>
            </p>
          </NoRows>
        )}
        <form method="post">
          <FormToken typed={typed} />
          <ul class="rows">
            {part.rows.map((row) => (
              <Item row={row} isDeleted={tab === "deleted"} now={site.now} />
            ))}
          </ul>
        </form>
        <Pager {...place} />
      </>
    ),
  });
}

type Row = Awaited<ReturnType<typeof listOwn>>["rows"][number];

function Item({ row, isDeleted, now }: { row: Row; isDeleted: boolean; now: Date }) {
  return (
    <li>
      <p dir="auto">{isDeleted ? row.title : <a href={articlePath(row)}>{row.title}</a>}</p>
      <div class="meta">
        <Day date={row.at} now={now} />
        <span>{counted(row.page_views_count, "view")}</span>
        <span>{counted(row.public_reactions_count, "reaction")}</span>
        <span>{counted(row.comments_count, "comment")}</span>
        {isDeleted ? (
          <button class="button" name="restore" value={row.id} aria-label={`Restore ${row.title}`}>
            Restore
          </button>
        ) : (
          <a href={editPath(row)} aria-label={`Edit ${row.title}`}>
            Edit
          </a>
        )}
      </div>
    </li>
  );
}
