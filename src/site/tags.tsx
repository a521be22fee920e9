import { Type } from "typebox";
import { tagged } from "../articles/subjects.ts";
import { notFound } from "../errors.ts";
import { tagPath } from "../paths.ts";
import { findTags } from "../search/tags.ts";
import * as tags from "../tags/tags.ts";
import { Breadcrumbs, counted, NoRows, Pager, TagLink } from "../web/components.tsx";
import { ArticleCards } from "./cards.tsx";
import { articlesOf, NoneOfTime, TopList, TopTabs } from "./home.tsx";
import { countedPage, CountedPages, moved, type Moved, type Page, type Pages, type Visit } from "./kit.tsx";

export function tagRoutes(pages: Pages): void {
  pages.get("/tags", { querystring: CountedPages }, directory);
  pages.get("/t/:tag", { params: Type.Object({ tag: Type.String() }), querystring: TopList }, tagPage);
}

async function directory(visit: Visit<{ page: number }>): Promise<Page> {
  const { rows, place } = await countedPage(visit, { path: "/tags", perPage: 60 }, (part) =>
    tags.directory(visit.source.db, part),
  );
  return {
    title: "Tags",
    description: "All tags, the most used first.",
    ...place,
    body: (
      <>
        <h1 class="page-title">Tags</h1>
        <p class="lead">The subjects of this community, the most used first.</p>
        {rows.length === 0 && <NoRows noun="tags" first={place.first} title="No tags yet" />}
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
  const tag = await tags.find(source.db, params.tag);
  if (tag === undefined) throw notFound();
  const { name } = tag;
  if (name !== params.tag) return moved(visit.request, tagPath(name));
  const subject = tagged(name, query.top);
  const { rows, place } = await articlesOf(visit, subject);
  const similar = rows.length === 0 && !place.isHidden ? await findTags(source, name, 5) : [];
  return {
    title: subject.title,
    description: tag.short_summary || subject.description,
    path: subject.path,
    feeds: [subject.feed],
    crumbs: CRUMBS,
    ...place,
    isHidden: place.isHidden || rows.length === 0,
    body: (
      <div class="narrow">
        <Breadcrumbs crumbs={CRUMBS} />
        <h1 class="page-title" dir="auto">
          {subject.title}
        </h1>
        <p class="lead">{tag.short_summary || counted(tag.articles_count, "article")}</p>
        <TopTabs path={tagPath(name)} top={query.top} />
        {rows.length > 0 ? (
          <ArticleCards rows={rows} now={site.now} />
        ) : (
          <NoArticles tag={tag} top={query.top} similar={similar} first={place.first} />
        )}
        <Pager next={place.next} />
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
