import { Type } from "typebox";
import { months, publishedIn } from "../community/articles/lists/page.ts";
import { rows as articleRows } from "../community/articles/reading.ts";
import { notFound } from "../platform/errors.ts";
import { monthOf } from "../platform/text/dates.ts";
import { Breadcrumbs, Empty, NoRows, Pager } from "./kit/components.tsx";
import { ArticleLinks } from "./cards.tsx";
import { CountedPages, countedPage, type Page, type Pages, type Visit } from "./kit.tsx";

export function archiveRoutes(pages: Pages): void {
  pages.get("/archive", {}, archive);
  pages.get(
    "/archive/:month",
    { params: Type.Object({ month: Type.String() }), querystring: CountedPages },
    month,
  );
}

/** `March 2026` for `2026-03`. */
function nameOf(month: string): string {
  return `${monthOf(new Date(`${month}-01`))} ${month.slice(0, 4)}`;
}

async function archive({ source }: Visit): Promise<Page> {
  const list = await months(source.db);
  const years = [...new Set(list.map((each) => each.slice(0, 4)))];
  return {
    title: "Archive",
    description: "All articles by month.",
    path: "/archive",
    body: (
      <div class="narrow">
        <h1 class="page-title">Archive</h1>
        {list.length === 0 && <Empty title="Nothing published yet" />}
        {years.map((year) => (
          <section class="section">
            <h2>{year}</h2>
            <ul class="months">
              {list
                .filter((each) => each.startsWith(year))
                .map((each) => (
                  <li>
                    <a href={`/archive/${each}`}>{nameOf(each)}</a>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    ),
  };
}

const PER_PAGE = 100;
const CRUMBS = [{ label: "Archive", href: "/archive" }];

async function month(visit: Visit<{ page: number }, { month: string }>): Promise<Page> {
  const { source, params } = visit;
  // PostgreSQL has no year 0.
  if (!/^(?!0000)\d{4}-(?:0[1-9]|1[0-2])$/.test(params.month)) throw notFound();
  const list = { path: `/archive/${params.month}`, perPage: PER_PAGE };
  const { rows, place } = await countedPage(visit, list, (part) =>
    publishedIn(source.db, params.month, part),
  );
  const title = nameOf(params.month);
  return {
    title,
    description: `Articles of ${title}.`,
    isHidden: rows.length === 0,
    crumbs: CRUMBS,
    ...place,
    body: (
      <div class="narrow">
        <Breadcrumbs crumbs={CRUMBS} />
        <h1 class="page-title">{title}</h1>
        {rows.length === 0 && <NoRows noun="articles" first={place.first} title="No articles" />}
        <ArticleLinks list={await articleRows(source.db, rows)} />
        <Pager {...place} />
      </div>
    ),
  };
}
