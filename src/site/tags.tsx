import { Type } from "typebox";
import { notFound } from "../errors.ts";
import { feedPath, tagPath } from "../paths.ts";
import { findTags } from "../search/tags.ts";
import * as tags from "../tags/tags.ts";
import { Breadcrumbs, counted, NoRows, Pager, TagLink } from "../web/components.tsx";
import type { Moved, Page } from "../web/page.tsx";
import { ArticleCards } from "./cards.tsx";
import { articlesOf, NoneOfTime, TopList, TopTabs } from "./home.tsx";
import { CountedPages, cutCounted, firstPage, moved, type Pages, type Visit } from "./kit.tsx";

export function tagRoutes(pages: Pages): void {
  pages.get("/tags", { querystring: CountedPages }, directory);
  pages.get("/t/:tag", { params: Type.Object({ tag: Type.String() }), querystring: TopList }, tagPage);
}

const PER_PAGE = 60;

async function directory({ source, query: { page } }: Visit<{ page: number }>): Promise<Page> {
  const part = { limit: PER_PAGE + 1, offset: (page - 1) * PER_PAGE };
  const list = await tags.directory(source.db, part);
  const { rows, first, place } = cutCounted(list, { path: "/tags", page, perPage: PER_PAGE });
  return {
    title: "Tags",
    description: "All tags, the most used first.",
    ...place,
    body: (
      <>
        <h1 class="page-title">Tags</h1>
        <p class="lead">The subjects of this community, the most used first.</p>
        {rows.length === 0 && <NoRows noun="tags" first={first} title="No tags yet" />}
        <ul class="cards">
          {rows.map((tag) => (
            <li>
              <h2 dir="auto">
                <a href={tagPath(tag.name)}>#{tag.name}</a>
              </h2>
              <p class="muted small">{counted(tag.articles_count, "article")}</p>
              {tag.short_summary && <p class="small">{tag.short_summary}</p>}
            </li>
          ))}
        </ul>
        <Pager {...place} of="Previous, Next" />
      </>
    ),
  };
}

const CRUMBS = [{ label: "Tags", href: "/tags" }];

async function tagPage(visit: Visit<TopList, { tag: string }>): Promise<Page | Moved> {
  const { source, site, params, query } = visit;
  const asked = tags.spelling(params.tag);
  const tag = tags.isStorable(asked) ? await tags.find(source.db, asked) : undefined;
  if (tag === undefined) throw notFound();
  const { name } = tag;
  if (name !== params.tag) return moved(visit.request, tagPath(name));
  const found = await articlesOf(visit, { ...query, tag: name });
  const isFirst = query.cursor === undefined;
  const similar = found.rows.length === 0 && isFirst ? await findTags(source, name, 5) : [];
  const title = `#${name}`;
  return {
    title,
    description: tag.short_summary || `Articles about ${name}.`,
    path: query.top === undefined ? tagPath(name) : `${tagPath(name)}?top=${query.top}`,
    feeds: [{ title, path: feedPath("tag", name) }],
    isHidden: found.rows.length === 0 || !isFirst,
    crumbs: CRUMBS,
    next: found.next,
    body: (
      <div class="narrow">
        <Breadcrumbs crumbs={CRUMBS} />
        <h1 class="page-title" dir="auto">
          {title}
        </h1>
        <p class="lead">{tag.short_summary || counted(tag.articles_count, "article")}</p>
        <TopTabs path={tagPath(name)} top={query.top} />
        {found.rows.length > 0 ? (
          <ArticleCards rows={found.rows} now={site.now} />
        ) : (
          <NoArticles tag={tag} top={query.top} similar={similar} first={firstPage(visit.request)} />
        )}
        <Pager next={found.next} />
      </div>
    ),
  };
}

interface NoArticlesProps {
  top: TopList["top"] | undefined;
  tag: { name: string; articles_count: number };
  similar: readonly { name: string }[];
  first: string | undefined;
}

function NoArticles({ tag, top, similar, first }: NoArticlesProps) {
  if (tag.articles_count > 0 && top !== undefined && top !== "ever") {
    return <NoneOfTime path={tagPath(tag.name)} first={first} top={top} />;
  }
  return (
    <NoRows noun="articles" first={first} title="No articles with this tag">
      <p>
        <a href="/tags">All tags</a>
      </p>
      {similar.length > 0 && (
        <p>
          Similar tags:{" "}
          {similar.map((each) => (
            <>
              <TagLink name={each.name} />{" "}
            </>
          ))}
        </p>
      )}
    </NoRows>
  );
}
