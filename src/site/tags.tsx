import { Type } from "typebox";
import { tagged } from "../community/articles/subjects.ts";
import { findTags } from "../community/suggestions/suggestions.ts";
import { notFound } from "../platform/errors.ts";
import { tagPath } from "../platform/paths.ts";
import * as tags from "../community/tags/tags.ts";
import { Acts, Follow, pressedIn } from "./acts.tsx";
import { Breadcrumbs, counted, NoRows, Pager, TagLink } from "./kit/components.tsx";
import { ArticleCards } from "./cards.tsx";
import { articlesOf, NoArticles, TopList, TopTabs } from "./home.tsx";
import { countedPage, CountedPages, moved, type Moved, type Page, type Pages, type Visit } from "./kit.tsx";

const TAGS = { label: "Tags", href: "/tags" };

export function tagRoutes(pages: Pages): void {
  pages.get(TAGS.href, { querystring: CountedPages }, directory);
  pages.get("/t/:tag", { params: Type.Object({ tag: Type.String() }), querystring: TopList }, tagPage);
}

async function directory(visit: Visit<{ page: number }>): Promise<Page> {
  const { rows, place } = await countedPage(visit, { path: TAGS.href, perPage: 60 }, (part) =>
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

async function tagPage(visit: Visit<TopList, { tag: string }>): Promise<Page | Moved> {
  const { source, site, params, query } = visit;
  const tag = await tags.find(source.db, params.tag);
  if (tag === undefined) throw notFound();
  const { name } = tag;
  if (name !== params.tag) return moved(visit.request, tagPath(name));
  const subject = tagged(name, query.top);
  const { rows, place } = await articlesOf(visit, subject);
  const similar = rows.length === 0 && !place.isHidden ? await findTags(source, name, 5) : [];
  const pressed = await pressedIn(visit, { tags: [tag.id] });
  return {
    title: subject.title,
    description: tag.short_summary || subject.description,
    path: subject.path,
    feeds: [subject.feed],
    crumbs: [TAGS],
    ...place,
    isHidden: place.isHidden || rows.length === 0,
    body: (
      <div class="narrow">
        <Breadcrumbs crumbs={[TAGS]} />
        <h1 class="page-title" dir="auto">
          {subject.title}
        </h1>
        <p class="lead">{tag.short_summary || counted(tag.articles_count, "article")}</p>
        <Follow kind="tag" id={tag.id} name={name} pressed={pressed} />
        <Acts back={tagPath(name)} />
        <TopTabs path={tagPath(name)} top={query.top} />
        {rows.length > 0 ? (
          <ArticleCards rows={rows} now={site.now} />
        ) : (
          <NoArticles
            path={tagPath(name)}
            top={tag.articles_count > 0 ? query.top : undefined}
            first={place.first}
            title="No articles with this tag"
          >
            <p>
              <a href={TAGS.href}>All tags</a>
            </p>
            <Similar tags={similar} />
          </NoArticles>
        )}
        <Pager next={place.next} />
      </div>
    ),
  };
}

function Similar({ tags: similar }: { tags: readonly { name: string }[] }) {
  if (similar.length === 0) return null;
  return (
    <p>
      Similar tags:{" "}
      {similar.map(({ name }) => (
        <>
          <TagLink name={name} />{" "}
        </>
      ))}
    </p>
  );
}
