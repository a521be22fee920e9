import { Type } from "typebox";
import { currentName } from "../community/articles/retired-paths.ts";
import { notFound } from "../platform/errors.ts";
import * as organizations from "../community/organizations/organizations.ts";
import { commentPath, profilePath, seriesPath } from "../platform/paths.ts";
import { find as findPodcast } from "../community/podcasts/reading.ts";
import * as users from "../community/users/directory.ts";
import { countedPage, moved, type Moved, type Page, type Pages, type Place } from "./kit.tsx";
import { podcastPage } from "./podcasts.tsx";
import {
  profilePage,
  ProfileQuery,
  type ProfileVisit,
  type Tab,
  type TabContent,
  tabOf,
} from "./profile.tsx";
import { seriesOf } from "../community/articles/series.ts";
import { idCode } from "../community/comments/id-codes.ts";
import * as comments from "../community/comments/reading.ts";
import { Avatar, counted, Day, PersonLink } from "./kit/components.tsx";
import { Prose, sanitized } from "./kit/html.tsx";
import { PER_PAGE } from "./home.tsx";

export function publisherRoutes(pages: Pages): void {
  const Name = Type.Object({ name: Type.String() });
  pages.get("/:name", { params: Name, querystring: ProfileQuery }, publisher);
}

async function publisher(visit: ProfileVisit): Promise<Page | Moved> {
  const { source, params, request } = visit;
  const name = params.name.toLowerCase();
  const page = await pageOfName(visit, name);
  if (page !== undefined) return params.name === name ? page() : moved(request, profilePath(name));
  const renamed = await currentName(source.db, name);
  if (renamed !== undefined) return moved(request, profilePath(renamed));
  throw notFound();
}

async function pageOfName(visit: ProfileVisit, name: string): Promise<(() => Promise<Page>) | undefined> {
  const { db } = visit.source;
  const user = await users.findPublicProfile(db, name);
  if (user !== undefined) return () => personPage(visit, user);
  const organization = await organizations.findPublicProfile(db, name);
  if (organization !== undefined) return () => organizationPage(visit, organization);
  const podcast = await findPodcast(db, name);
  return podcast && (() => podcastPage(visit, podcast));
}

async function personPage(visit: ProfileVisit, found: users.PublicProfile): Promise<Page> {
  const hidden = { summary: null, website_url: null, location: null, codehost_username: null };
  const user = found.spam ? { ...found, ...hidden } : found;
  return profilePage(visit, {
    of: { ...user, kind: "user" },
    text: user.summary,
    website: user.website_url,
    notice: user.suspended ? "This account is suspended." : undefined,
    tabs: ["comments", "series", "about"],
    show: (tab) => SHOWS[tab](visit, user),
  });
}

const SHOWS: Record<Tab, (visit: ProfileVisit, user: users.PublicProfile) => Promise<TabContent>> = {
  comments: commentsBy,
  series: seriesBy,
  about: aboutPerson,
  members() {
    throw notFound();
  },
};

async function commentsBy(visit: ProfileVisit, user: users.PublicProfile): Promise<TabContent> {
  const { source, site } = visit;
  const list = { path: profilePath(user.username), perPage: PER_PAGE };
  const { rows, place } = await countedPage(visit, list, (part) => comments.listBy(source.db, user.id, part));
  const body = rows.length > 0 && (
    <ol class="articles">
      {rows.map((each) => (
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
  return tabOf("comments", place, body);
}

async function seriesBy(visit: ProfileVisit, user: users.PublicProfile): Promise<TabContent> {
  const list = { path: profilePath(user.username), perPage: 100 };
  const { rows, place } = await countedPage(visit, list, (part) => seriesOf(visit.source.db, user.id, part));
  const body = rows.length > 0 && (
    <ul class="cards">
      {rows.map(({ name, count }) => (
        <li>
          <h2 dir="auto">
            <a href={seriesPath(user.username, name)}>{name}</a>
          </h2>
          <p class="muted">{counted(count, "article")}</p>
        </li>
      ))}
    </ul>
  );
  return tabOf("series", place, body);
}

async function aboutPerson({ source }: ProfileVisit, user: users.PublicProfile): Promise<TabContent> {
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

async function organizationPage(visit: ProfileVisit, row: organizations.ProfileRow): Promise<Page> {
  const isOfMembers = visit.query.tab === "members";
  return profilePage(visit, {
    of: { ...row, kind: "organization" },
    text: row.tag_line || row.summary,
    website: row.url,
    tabs: ["members", "about"],
    show: async () => (isOfMembers ? membersTab(visit, row) : { body: <OrganizationText row={row} /> }),
    below: !isOfMembers && <FirstMembers of={row} {...await membersOf(visit, row, 1)} />,
  });
}

async function membersTab(visit: ProfileVisit, row: organizations.ProfileRow): Promise<TabContent> {
  const { rows, place } = await membersOf(visit, row, visit.query.page);
  return tabOf("members", place, rows.length > 0 && <Members list={rows} />);
}

const MEMBERS_PER_PAGE = 50;

function membersOf({ source, request }: ProfileVisit, row: organizations.ProfileRow, page: number) {
  const list = { path: profilePath(row.username), perPage: MEMBERS_PER_PAGE };
  return countedPage({ request, query: { page } }, list, (part) =>
    organizations.listPeople(source.db, row.id, part),
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

type Member = Awaited<ReturnType<typeof organizations.listPeople>>[number];

interface FirstMembersProps {
  of: { username: string };
  rows: readonly Member[];
  place: Place;
}

function FirstMembers({ of, rows, place }: FirstMembersProps) {
  if (rows.length === 0) return null;
  return (
    <section class="section">
      <h2>Members</h2>
      <Members list={rows} />
      {place.next !== undefined && (
        <p class="spaced">
          <a class="button" href={`${profilePath(of.username)}?tab=members`}>
            All members
          </a>
        </p>
      )}
    </section>
  );
}

function Members({ list }: { list: readonly Member[] }) {
  return (
    <ul class="cards">
      {list.map((each) => (
        <li class="person-row">
          <Avatar of={{ kind: "user", ...each }} />
          <PersonLink person={each} />
        </li>
      ))}
    </ul>
  );
}
