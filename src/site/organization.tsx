import * as organizations from "../organizations/organizations.ts";
import { profilePath } from "../paths.ts";
import { Avatar, NoRows, Pager, PersonLink, Tabs } from "../web/components.tsx";
import type { Page } from "../web/page.tsx";
import { cutCounted } from "./kit.tsx";
import { articlesBy, pageOf, ProfileHead, type PartOfPage, type ProfileVisit } from "./profile.tsx";

export async function organizationPage(visit: ProfileVisit, row: organizations.ProfileRow): Promise<Page> {
  const path = profilePath(row.username);
  const picture = { kind: "organization", id: row.id, profile_image: row.profile_image } as const;
  const { tab } = visit.query;
  const part = await partOf(visit, row);
  return pageOf(
    visit,
    { ...row, picture, path },
    {
      ...part,
      isHidden: part.isHidden === true || tab !== undefined,
      body: (
        <div class="narrow">
          <ProfileHead of={row} picture={picture} text={row.tag_line || row.summary} website={row.url} />
          <Tabs
            label={row.name}
            tabs={[
              { label: "Articles", href: path, isCurrent: tab === undefined },
              { label: "Members", href: `${path}?tab=members`, isCurrent: tab === "members" },
              { label: "About", href: `${path}?tab=about`, isCurrent: tab === "about" },
            ]}
          />
          {part.body}
          <Pager prev={part.prev} next={part.next} />
          {tab !== "members" && <FirstMembers {...await membersOf(visit, row, 1)} path={path} />}
        </div>
      ),
    },
  );
}

async function partOf(visit: ProfileVisit, row: organizations.ProfileRow): Promise<PartOfPage> {
  const { tab, page } = visit.query;
  if (tab === undefined) return articlesBy(visit, { organizationId: row.id });
  if (tab !== "members") return { body: <OrganizationText row={row} /> };
  const { rows, first, place } = await membersOf(visit, row, page);
  if (rows.length === 0) {
    return { ...place, body: <NoRows noun="members" first={first} title="No members yet" /> };
  }
  return { ...place, body: <Members list={rows} /> };
}

const MEMBERS_PER_PAGE = 50;

async function membersOf({ source }: ProfileVisit, row: organizations.ProfileRow, page: number) {
  const list = await organizations.listPeople(source.db, row.id, {
    limit: MEMBERS_PER_PAGE + 1,
    offset: (page - 1) * MEMBERS_PER_PAGE,
  });
  const path = `${profilePath(row.username)}?tab=members`;
  return cutCounted(list, { path, page, perPage: MEMBERS_PER_PAGE });
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

function FirstMembers({
  rows,
  place,
  path,
}: {
  rows: readonly Member[];
  place: { next: string | undefined };
  path: string;
}) {
  if (rows.length === 0) return null;
  return (
    <section class="section">
      <h2>Members</h2>
      <Members list={rows} />
      {place.next !== undefined && (
        <p class="spaced">
          <a class="button" href={`${path}?tab=members`}>
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
