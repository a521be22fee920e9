import { Type } from "typebox";
import { listNewest } from "../articles/lists/page.ts";
import { rows } from "../articles/reading.ts";
import { currentName, findSeries, seriesOf } from "../articles/archive.ts";
import * as comments from "../comments/reading.ts";
import { idCode } from "../comments/id-codes.ts";
import { notFound } from "../errors.ts";
import { addressOf, type Pictured } from "../images/profile-picture.ts";
import * as organizations from "../organizations/organizations.ts";
import { articlePath, commentPath, feedPath, profilePath, seriesPath } from "../paths.ts";
import * as users from "../users/directory.ts";
import {
  Avatar,
  Breadcrumbs,
  counted,
  Day,
  Empty,
  Icon,
  Pager,
  PersonLink,
  Tabs,
} from "../web/components.tsx";
import { Prose, sanitized } from "../web/html.tsx";
import type { Moved, Page } from "../web/page.tsx";
import { ArticleCards } from "./cards.tsx";
import { PER_PAGE } from "./home.tsx";
import { CountedPages, countedLinks, cursor, linkTo, type Pages, type Visit } from "./kit.tsx";
import { podcastPage } from "./podcasts.tsx";

const Name = Type.Object({ name: Type.String() });
const TABS = ["comments", "series", "about"] as const;
const Part = Type.Object({ tab: Type.Optional(Type.Enum([...TABS])), cursor, ...CountedPages.properties });
interface Query {
  tab?: (typeof TABS)[number];
  cursor?: string;
  page: number;
}

export function profileRoutes(pages: Pages): void {
  pages.get("/:name", { params: Name, querystring: Part }, publisher);
  pages.get(
    "/:name/series/:slug",
    { params: Type.Object({ name: Type.String(), slug: Type.String() }) },
    oneSeries,
  );
}

type ProfileVisit = Visit<Query, { name: string }>;

async function publisher(visit: ProfileVisit): Promise<Page | Moved> {
  const { source, params } = visit;
  const name = params.name.toLowerCase();
  const user = await users.findPublicProfile(source.db, name);
  if (user !== undefined) return params.name === name ? person(visit, user) : { movedTo: profilePath(name) };
  const organization = await organizations.findProfile(source.db, name);
  if (organization !== undefined && organization.username === name)
    return organizationPage(visit, organization);
  const podcast = await podcastPage(visit, name);
  if (podcast !== undefined) return podcast;
  const renamed = await currentName(source.db, name);
  if (renamed !== undefined) return { movedTo: profilePath(renamed) };
  throw notFound();
}

interface Shown {
  id: number;
  name: string;
  username: string;
  summary: string | null;
  picture: Pictured;
  path: string;
}

/** What pages of people and organizations share. */
function pageOf(visit: ProfileVisit, shown: Shown, rest: Pick<Page, "body"> & Partial<Page>): Page {
  const { site } = visit;
  const image = addressOf(shown.picture, 640, site.baseUrl);
  const kind = shown.picture.kind === "user" ? "Person" : "Organization";
  return {
    title: shown.name,
    description: shown.summary?.trim() || `Articles by ${shown.name}.`,
    path: shown.path,
    kind: "profile",
    image,
    properties: [["profile:username", shown.username]],
    feeds: [{ title: `Articles by ${shown.name}`, path: feedPath(shown.username) }],
    data: [
      {
        "@type": "ProfilePage",
        mainEntity: {
          "@type": kind,
          name: shown.name,
          alternateName: shown.username,
          url: site.baseUrl + shown.path,
          image,
          ...(shown.summary && { description: shown.summary }),
        },
      },
    ],
    ...rest,
  };
}

async function person(visit: ProfileVisit, user: users.PublicProfile): Promise<Page> {
  const path = profilePath(user.username);
  const picture = { kind: "user", id: user.id, profile_image: user.profile_image } as const;
  const { tab } = visit.query;
  const part = await (tab === undefined ? articlesBy(visit, { authorId: user.id }) : PARTS[tab](visit, user));
  return pageOf(
    visit,
    { ...user, picture, path },
    {
      ...(tab !== undefined && { isHidden: true }),
      prev: part.prev,
      next: part.next,
      body: (
        <div class="narrow">
          <header class="profile">
            <Avatar of={picture} side={96} />
            <div>
              <h1 class="page-title">{user.name}</h1>
              <p class="muted">@{user.username}</p>
              {user.summary && <p dir="auto">{user.summary}</p>}
              <Facts
                location={user.location}
                website={user.website_url}
                code={user.codehost_username}
                joined={user.created_at}
              />
            </div>
          </header>
          {user.suspended && <p class="notice">This account is suspended. Its articles and comments stay.</p>}
          <Tabs
            label={user.name}
            tabs={[
              { label: "Articles", href: path, isCurrent: tab === undefined },
              { label: "Comments", href: `${path}?tab=comments`, isCurrent: tab === "comments" },
              { label: "Series", href: `${path}?tab=series`, isCurrent: tab === "series" },
              { label: "About", href: `${path}?tab=about`, isCurrent: tab === "about" },
            ]}
          />
          {part.body}
          <Pager prev={part.prev} next={part.next} />
        </div>
      ),
    },
  );
}

interface FactsProps {
  location: string | null;
  website: string | null;
  code: string | null;
  joined: Date;
}

function Facts({ location, website, code, joined }: FactsProps) {
  const site = website?.trim() ?? "";
  return (
    <div class="facts">
      {location && (
        <span>
          <Icon name="map-pin" /> {location}
        </span>
      )}
      {/^https?:\/\//i.test(site) && (
        <a href={site} rel="nofollow ugc noopener">
          <Icon name="link" /> {site.replace(/^https?:\/\/(?:www\.)?/i, "").replace(/\/$/, "")}
        </a>
      )}
      {code && (
        <span>
          <Icon name="code-xml" /> {code}
        </span>
      )}
      <span>
        <Icon name="calendar" /> Joined <Day date={joined} />
      </span>
    </div>
  );
}

interface PartOfPage {
  body: Page["body"];
  prev?: string | undefined;
  next?: string | undefined;
}

async function articlesBy(
  { source, site, request, query }: ProfileVisit,
  of: { authorId: number } | { organizationId: number },
): Promise<PartOfPage> {
  const found = await listNewest(source, of, { limit: PER_PAGE, offset: 0, cursor: query.cursor });
  const list = await rows(source.db, found.rows);
  if (list.length === 0) return { body: <Empty title="No articles yet" /> };
  return { body: <ArticleCards rows={list} now={site.now} />, next: linkTo(request, found.next) };
}

const PARTS: Record<
  (typeof TABS)[number],
  (visit: ProfileVisit, user: users.PublicProfile) => Promise<PartOfPage>
> = { comments: commentsBy, series: seriesBy, about: aboutPerson };

async function commentsBy(visit: ProfileVisit, user: users.PublicProfile): Promise<PartOfPage> {
  const { source, site, request, query } = visit;
  const { page } = query;
  const list = await comments.listBy(source.db, user.id, {
    limit: PER_PAGE + 1,
    offset: (page - 1) * PER_PAGE,
  });
  if (list.length === 0) return { body: <Empty title="No comments yet" /> };
  const body = (
    <ol class="articles">
      {list.slice(0, PER_PAGE).map((each) => (
        <li>
          <p class="meta">
            <a href={commentPath(idCode(each.id))}>
              <Day date={each.created_at} now={site.now} />
            </a>
            <span>
              on <a href={each.path}>{each.title}</a>
            </span>
          </p>
          <Prose html={sanitized(each.body_html)} />
        </li>
      ))}
    </ol>
  );
  return { body, ...countedLinks(request, { page, hasNext: list.length > PER_PAGE }) };
}

async function seriesBy({ source }: ProfileVisit, user: users.PublicProfile): Promise<PartOfPage> {
  const list = await seriesOf(source.db, user.id);
  if (list.length === 0) return { body: <Empty title="No series yet" /> };
  return {
    body: (
      <ul class="cards">
        {list.map(({ name, count }) => (
          <li>
            <h2 dir="auto">
              <a href={seriesPath(user.username, name)}>{name}</a>
            </h2>
            <p class="muted">{counted(count, "article")}</p>
          </li>
        ))}
      </ul>
    ),
  };
}

async function organizationPage(visit: ProfileVisit, row: organizations.ProfileRow): Promise<Page> {
  const { source } = visit;
  const path = profilePath(row.username);
  const picture = { kind: "organization", id: row.id, profile_image: row.profile_image } as const;
  const { tab } = visit.query;
  const part = await (tab === undefined
    ? articlesBy(visit, { organizationId: row.id })
    : ({ body: <OrganizationText row={row} /> } as PartOfPage));
  const members = await organizations.listPeople(source.db, row.id, { limit: 50, offset: 0 });
  return pageOf(
    visit,
    { ...row, picture, path },
    {
      ...(tab !== undefined && { isHidden: true }),
      next: part.next,
      body: (
        <div class="narrow">
          <header class="profile">
            <Avatar of={picture} side={96} />
            <div>
              <h1 class="page-title">{row.name}</h1>
              <p class="muted">@{row.username}</p>
              {(row.tag_line || row.summary) && <p dir="auto">{row.tag_line || row.summary}</p>}
              <Facts
                location={row.location}
                website={row.url}
                code={row.codehost_username}
                joined={row.created_at}
              />
            </div>
          </header>
          <Tabs
            label={row.name}
            tabs={[
              { label: "Articles", href: path, isCurrent: tab === undefined },
              { label: "About", href: `${path}?tab=about`, isCurrent: tab !== undefined },
            ]}
          />
          {part.body}
          <Pager next={part.next} />
          {members.length > 0 && (
            <section class="section">
              <h2>Members</h2>
              <ul class="cards">
                {members.map((each) => (
                  <li class="person-row">
                    <Avatar of={{ kind: "user", ...each }} />
                    <PersonLink person={each} />
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      ),
    },
  );
}

function OrganizationText({ row }: { row: organizations.ProfileRow }) {
  return (
    <section class="section">
      <h2>About</h2>
      <p dir="auto">{row.story || row.summary || `${row.name} has written nothing about itself yet.`}</p>
      {row.tech_stack && (
        <>
          <h3>Works with</h3>
          <p dir="auto">{row.tech_stack}</p>
        </>
      )}
    </section>
  );
}

async function aboutPerson({ source }: ProfileVisit, user: users.PublicProfile): Promise<PartOfPage> {
  const member = await organizations.listOf(source.db, user.id);
  return {
    body: (
      <section class="section">
        <h2>About</h2>
        <p dir="auto">{user.summary || `${user.name} has written nothing about themselves yet.`}</p>
        {member.length > 0 && (
          <>
            <h3>Member of</h3>
            <ul>
              {member.map((each) => (
                <li>
                  <PersonLink person={each} />
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
    ),
  };
}

async function oneSeries(visit: Visit<object, { name: string; slug: string }>): Promise<Page> {
  const { source, params, site } = visit;
  const found = await findSeries(source.db, params.name.toLowerCase(), params.slug);
  if (found === undefined) throw notFound();
  const list = await rows(source.db, found.articles);
  const [first] = list;
  const path = seriesPath(found.user.username, found.name);
  return {
    title: found.name,
    description: `A series by ${found.user.name}.`,
    path,
    body: (
      <div class="narrow">
        <Breadcrumbs crumbs={[{ label: found.user.name, href: profilePath(found.user.username) }]} />
        <h1 class="page-title" dir="auto">
          {found.name}
        </h1>
        <p class="lead">{counted(list.length, "article")}, in order</p>
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
