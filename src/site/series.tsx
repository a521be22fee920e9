import { Type } from "typebox";
import { rows } from "../articles/reading.ts";
import { currentName } from "../articles/retired-paths.ts";
import { findSeries } from "../articles/series.ts";
import { notFound } from "../errors.ts";
import { articlePath, profilePath, seriesPath } from "../paths.ts";
import { Breadcrumbs, counted, NoRows, Pager } from "../web/components.tsx";
import type { Moved, Page } from "../web/page.tsx";
import { ArticleCards } from "./cards.tsx";
import { CountedPages, moved, type Pages, placeOf, type Visit } from "./kit.tsx";

export function seriesRoutes(pages: Pages): void {
  const Path = Type.Object({ name: Type.String(), slug: Type.String() });
  pages.get("/:name/series/:slug", { params: Path, querystring: CountedPages }, oneSeries);
}

const PER_PAGE = 100;

async function oneSeries(
  visit: Visit<{ page: number }, { name: string; slug: string }>,
): Promise<Page | Moved> {
  const { source, params, query, site, request } = visit;
  const name = params.name.toLowerCase();
  const part = { limit: PER_PAGE, offset: (query.page - 1) * PER_PAGE };
  const find = (username: string) => findSeries(source.db, { username, name: params.slug }, part);
  const found = await find(name);
  if (found === undefined) {
    const renamed = await currentName(source.db, name);
    if (renamed === undefined || !(await find(renamed))) throw notFound();
    return moved(request, seriesPath(renamed, params.slug));
  }
  if (params.name !== name) return moved(request, seriesPath(name, found.name));
  const list = await rows(source.db, found.articles);
  const { first, place } = placeOf(
    { path: seriesPath(found.user.username, found.name), page: query.page },
    { isEmpty: list.length === 0, hasNext: found.count > part.offset + PER_PAGE },
  );
  const crumbs = [{ label: found.user.name, href: profilePath(found.user.username) }];
  return {
    title: found.name,
    description: `A series by ${found.user.name}.`,
    crumbs,
    isHidden: list.length === 0,
    ...place,
    body: (
      <div class="narrow">
        <Breadcrumbs crumbs={crumbs} />
        <h1 class="page-title" dir="auto">
          {found.name}
        </h1>
        <Start count={found.count} first={query.page === 1 ? list[0] : undefined} />
        {list.length === 0 && (
          <NoRows noun="articles" first={first} title="None of its articles is published" />
        )}
        <ArticleCards rows={list} now={site.now} />
        <Pager {...place} of="Previous, Next" />
      </div>
    ),
  };
}

function Start({ count, first }: { count: number; first: Parameters<typeof articlePath>[0] | undefined }) {
  return (
    <>
      {count > 0 && (
        <p class="lead">
          {counted(count, "article")}
          {count > 1 && ", in order"}
        </p>
      )}
      {first && (
        <p class="spaced">
          <a class="button strong" href={articlePath(first)}>
            Start reading
          </a>
        </p>
      )}
    </>
  );
}
