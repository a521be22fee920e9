import type { ComponentChildren } from "preact";
import { Type } from "typebox";
import { mayPost } from "../community/articles/articles.ts";
import { rows } from "../community/articles/reading.ts";
import { community, type Subject, type Top } from "../community/articles/subjects.ts";
import { followedArticles, popularPeople } from "../community/taking-part/taking-part.ts";
import { unauthorized } from "../platform/errors.ts";
import { ADMIN, FOLLOWING_TAB, HOME, SIGN_UP } from "../platform/paths.ts";
import * as tags from "../community/tags/tags.ts";
import { Empty, NoRows, Pager, TagLink, Tabs } from "./kit/components.tsx";
import type { Site } from "./kit/layout.tsx";
import { Acts } from "./acts.tsx";
import { ArticleCards } from "./cards.tsx";
import { FollowList } from "./member-lists.tsx";
import { cursor, cursorPage, type Page, type Pages, type Visit } from "./kit.tsx";

export const PER_PAGE = 20;

export const TopList = Type.Object({
  top: Type.Optional(Type.Enum(["week", "month", "year", "ever"])),
  cursor,
});
export type TopList = { top?: Top; cursor?: string };

const FrontPage = Type.Object({ ...TopList.properties, tab: Type.Optional(Type.Enum(["following"])) });
type FrontPage = TopList & { tab?: "following" };

export function homeRoutes(pages: Pages): void {
  pages.get(HOME, { querystring: FrontPage }, home);
}

export async function articlesOf(visit: Parameters<typeof cursorPage>[0], { list }: Subject) {
  const { part, place } = await cursorPage(visit, PER_PAGE, list);
  return { rows: await rows(visit.source.db, part.rows), place };
}

interface TopTabsProps {
  path: string;
  top: Top | undefined;
  /** Whether the list is that of the member's own tab; undefined where there is none. */
  isFollowing?: boolean | undefined;
}

export function TopTabs({ path, top, isFollowing }: TopTabsProps) {
  const label = { week: "Top this week", month: "Month", year: "Year", ever: "All time" };
  const tabs = [
    { label: "Latest", href: path, isCurrent: top === undefined && isFollowing !== true },
    ...(isFollowing === undefined
      ? []
      : [{ label: "Following", href: FOLLOWING_TAB, isCurrent: isFollowing }]),
    ...Object.entries(label).map(([name, text]) => ({
      label: text,
      href: `${path}?top=${name}`,
      isCurrent: top === name,
    })),
  ];
  return <Tabs label="Order" tabs={tabs} />;
}

async function home(visit: Visit<FrontPage>): Promise<Page> {
  const { site, source, query } = visit;
  if (query.tab === "following") return followingTab(visit);
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
          <TopTabs path={HOME} top={query.top} isFollowing={site.viewer ? false : undefined} />
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

/** The articles of all that a member follows; for one who follows nothing, what others read, with buttons. */
async function followingTab(visit: Visit<FrontPage>): Promise<Page> {
  const { site, services } = visit;
  const { viewer } = site;
  if (!viewer) throw unauthorized();
  const db = services.db.main;
  const { part, place } = await cursorPage(visit, PER_PAGE, (_, cut) =>
    followedArticles(db, { userId: viewer.id, now: site.now }, cut),
  );
  return {
    title: "Following",
    path: FOLLOWING_TAB,
    ...place,
    isHidden: true,
    body: (
      <div class="narrow">
        <h1 class="visually-hidden">Following</h1>
        <TopTabs path={HOME} top={undefined} isFollowing />
        {part.rows.length > 0 && <ArticleCards rows={await rows(db, part.rows)} now={site.now} />}
        {part.rows.length === 0 &&
          (place.first === undefined ? (
            await suggestions(visit, viewer.id, part.followsNone)
          ) : (
            <NoRows noun="articles" first={place.first} title="" />
          ))}
        <Pager next={place.next} />
      </div>
    ),
  };
}

/** Popular tags and people, for a member who follows none of them: theirs have articles. */
async function suggestions({ source }: Visit, viewerId: number, followsNone: boolean) {
  const [popular, people] = await Promise.all([
    tags.directory(source.db, { limit: 12, offset: 0 }),
    popularPeople(source.db, viewerId),
  ]);
  const none = { username: null, profile_image: null };
  const tagRows = popular.map(({ id, name }) => ({ kind: "tag" as const, id, name, ...none }));
  return (
    <>
      {!followsNone && <Empty title="Nothing published yet by those you follow" />}
      <p class="lead">Follow tags and people, and their articles appear here.</p>
      {tagRows.length > 0 && <h2>Popular tags</h2>}
      <FollowList list={tagRows} pressed={new Set()} />
      {people.length > 0 && <h2>People</h2>}
      <FollowList list={people.map((one) => ({ kind: "user" as const, ...one }))} pressed={new Set()} />
      <Acts back={FOLLOWING_TAB} />
    </>
  );
}

/** Suggests what to do next while nothing is published. */
function NextStep({ site: { settings, viewer } }: { site: Site }) {
  if (viewer?.role === "admin") return <a href={ADMIN}>Take the first steps of an admin</a>;
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
