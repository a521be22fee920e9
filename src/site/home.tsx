import type { ComponentChildren } from "preact";
import { Type } from "typebox";
import { mayPost } from "../community/articles/articles.ts";
import { rows } from "../community/articles/reading.ts";
import { community, type Subject, type Top } from "../community/articles/subjects.ts";
import { FIRST_STEPS, HOME, SIGN_UP } from "../platform/paths.ts";
import * as tags from "../community/tags/tags.ts";
import { NoRows, Pager, TagLink, Tabs } from "./kit/components.tsx";
import type { Site } from "./kit/layout.tsx";
import { ArticleCards } from "./cards.tsx";
import { cursor, cursorPage, type Page, type Pages, type Visit } from "./kit.tsx";

export const PER_PAGE = 20;

export const TopList = Type.Object({
  top: Type.Optional(Type.Enum(["week", "month", "year", "ever"])),
  cursor,
});
export type TopList = { top?: Top; cursor?: string };

export function homeRoutes(pages: Pages): void {
  pages.get(HOME, { querystring: TopList }, home);
}

export async function articlesOf(visit: Parameters<typeof cursorPage>[0], { list }: Subject) {
  const { part, place } = await cursorPage(visit, PER_PAGE, list);
  return { rows: await rows(visit.source.db, part.rows), place };
}

export function TopTabs({ path, top }: { path: string; top: Top | undefined }) {
  const label = { week: "Top this week", month: "Month", year: "Year", ever: "All time" };
  const tabs = [
    { label: "Latest", href: path, isCurrent: top === undefined },
    ...Object.entries(label).map(([name, text]) => ({
      label: text,
      href: `${path}?top=${name}`,
      isCurrent: top === name,
    })),
  ];
  return <Tabs label="Order" tabs={tabs} />;
}

async function home(visit: Visit<TopList>): Promise<Page> {
  const { site, source, query } = visit;
  const { settings, now } = site;
  const { community_name: name, tagline, community_description } = settings;
  const subject = community(query.top);
  const [{ rows, place }, popular] = await Promise.all([
    articlesOf(visit, subject),
    tags.directory(source.db, { limit: 12, offset: 0 }),
  ]);
  const isEmpty = !place.isHidden && query.top === undefined && rows.length === 0;
  const about = community_description || tagline;
  return {
    title: subject.title ?? (tagline === "" ? name : `${name}: ${tagline}`),
    path: subject.path,
    feeds: [subject.feed],
    ...place,
    data: [dataOf(site)],
    body: (
      <div class="with-aside">
        <div>
          <h1 class={isEmpty ? "page-title" : "visually-hidden"}>{name}</h1>
          {isEmpty && <p class="lead">{about}</p>}
          <TopTabs path={HOME} top={query.top} />
          {rows.length === 0 ? (
            <NoArticles path={HOME} top={query.top} first={place.first} title="Nothing published yet">
              <p>
                <NextStep site={site} />
              </p>
            </NoArticles>
          ) : (
            <ArticleCards rows={rows} now={now} />
          )}
          <Pager next={place.next} />
        </div>
        <aside>
          {!isEmpty && about !== "" && (
            <section class="aside-box">
              <h2>About</h2>
              <p class="muted">{about}</p>
            </section>
          )}
          <PopularTags list={popular} />
        </aside>
      </div>
    ),
  };
}

/** Suggests what to do next while nothing is published. */
function NextStep({ site: { settings, viewer } }: { site: Site }) {
  if (viewer?.role === "admin") return <a href={FIRST_STEPS}>Take the first steps of an admin</a>;
  if (viewer && mayPost(viewer, settings))
    return <a href="/settings/keys">Make a key, and publish by the API</a>;
  const mayJoin = ["open", "approval"].includes(settings.registration);
  if (!viewer && mayJoin) return <a href={SIGN_UP}>Join, and write the first article</a>;
  return <>Articles appear here as soon as they are published.</>;
}

function dataOf({ baseUrl, settings }: Site): object {
  return {
    "@type": "WebSite",
    name: settings.community_name,
    url: baseUrl,
    potentialAction: {
      "@type": "SearchAction",
      target: `${baseUrl}/search?q={search_term_string}`,
      "query-input": "required name=search_term_string",
    },
  };
}

interface NoArticlesProps {
  path: string;
  top: Top | undefined;
  first: string | undefined;
  /** The title of a list that is empty at all times. */
  title: string;
  children: ComponentChildren;
}

export function NoArticles({ path, top, first, title, children }: NoArticlesProps) {
  if (top === undefined || top === "ever") {
    return (
      <NoRows noun="articles" first={first} title={title}>
        {children}
      </NoRows>
    );
  }
  return (
    <NoRows noun="articles" first={first} title={`Nothing published this ${top}`}>
      <p>
        <a href={path}>The latest articles</a>
      </p>
    </NoRows>
  );
}

function PopularTags({ list }: { list: readonly { name: string }[] }) {
  if (list.length === 0) return null;
  return (
    <section class="aside-box">
      <h2>Popular tags</h2>
      <ul class="tags">
        {list.map(({ name }) => (
          <li>
            <TagLink name={name} />
          </li>
        ))}
      </ul>
      <p class="small">
        <a href="/tags">All tags</a>
      </p>
    </section>
  );
}
