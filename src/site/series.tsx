import { Type } from "typebox";
import { rows } from "../articles/reading.ts";
import { currentName } from "../articles/retired-paths.ts";
import { findSeries } from "../articles/series.ts";
import { notFound } from "../errors.ts";
import { articlePath, profilePath, seriesPath } from "../paths.ts";
import { Breadcrumbs, counted, Empty } from "../web/components.tsx";
import type { Moved, Page } from "../web/page.tsx";
import { ArticleCards } from "./cards.tsx";
import { moved, type Pages, type Visit } from "./kit.tsx";

export function seriesRoutes(pages: Pages): void {
  const Path = Type.Object({ name: Type.String(), slug: Type.String() });
  pages.get("/:name/series/:slug", { params: Path }, oneSeries);
}

async function oneSeries(visit: Visit<object, { name: string; slug: string }>): Promise<Page | Moved> {
  const { source, params, site, request } = visit;
  const name = params.name.toLowerCase();
  const found = await findSeries(source.db, name, params.slug);
  if (found === undefined) {
    const renamed = await currentName(source.db, name);
    if (renamed === undefined || !(await findSeries(source.db, renamed, params.slug))) throw notFound();
    return moved(request, seriesPath(renamed, params.slug));
  }
  if (params.name !== name) return moved(request, seriesPath(name, found.name));
  const list = await rows(source.db, found.articles);
  const [first] = list;
  const path = seriesPath(found.user.username, found.name);
  const crumbs = [{ label: found.user.name, href: profilePath(found.user.username) }];
  return {
    title: found.name,
    description: `A series by ${found.user.name}.`,
    path,
    crumbs,
    isHidden: list.length === 0,
    body: (
      <div class="narrow">
        <Breadcrumbs crumbs={crumbs} />
        <h1 class="page-title" dir="auto">
          {found.name}
        </h1>
        {list.length > 0 && (
          <p class="lead">
            {counted(list.length, "article")}
            {list.length > 1 && ", in order"}
          </p>
        )}
        {first ? (
          <p>
            <a class="button strong" href={articlePath(first)}>
              Start reading
            </a>
          </p>
        ) : (
          <Empty title="None of its articles is published" />
        )}
        <ArticleCards rows={list} now={site.now} />
      </div>
    ),
  };
}
