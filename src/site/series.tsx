import { Type } from "typebox";
import { rows as articleRows } from "../community/articles/reading.ts";
import { currentName } from "../community/articles/retired-paths.ts";
import { findSeries } from "../community/articles/series.ts";
import { inSeries } from "../community/articles/subjects.ts";
import { notFound } from "../platform/errors.ts";
import { articlePath, profilePath, seriesPath } from "../platform/paths.ts";
import { Breadcrumbs, counted, NoRows, Pager } from "./kit/components.tsx";
import { ArticleCards } from "./cards.tsx";
import { countedPage, CountedPages, moved, type Moved, type Page, type Pages, type Visit } from "./kit.tsx";

export function seriesRoutes(pages: Pages): void {
  const Path = Type.Object({ name: Type.String(), slug: Type.String() });
  pages.get("/:name/series/:slug", { params: Path, querystring: CountedPages }, oneSeries);
}

async function oneSeries(
  visit: Visit<{ page: number }, { name: string; slug: string }>,
): Promise<Page | Moved> {
  const { source, params, query, site, request } = visit;
  const name = params.name.toLowerCase();
  const found = await findSeries(source.db, { username: name, name: params.slug });
  if (found === undefined) {
    const renamed = await currentName(source.db, name);
    if (!renamed || !(await findSeries(source.db, { username: renamed, name: params.slug })))
      throw notFound();
    return moved(request, seriesPath(renamed, params.slug));
  }
  const { title, description, path, list } = inSeries(found);
  if (params.name !== name) return moved(request, path);
  const { rows, place } = await countedPage(visit, { path, perPage: 100 }, async (part) =>
    articleRows(source.db, (await list(source, part)).rows),
  );
  const crumbs = [{ label: found.user.name, href: profilePath(found.user.username) }];
  return {
    title,
    description,
    crumbs,
    isHidden: rows.length === 0,
    ...place,
    body: (
      <div class="narrow">
        <Breadcrumbs crumbs={crumbs} />
        <h1 class="page-title" dir="auto">
          {title}
        </h1>
        <Start count={found.count} first={query.page === 1 ? rows[0] : undefined} />
        {rows.length === 0 && (
          <NoRows noun="articles" first={place.first} title="None of its articles is published" />
        )}
        <ArticleCards rows={rows} now={site.now} />
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
