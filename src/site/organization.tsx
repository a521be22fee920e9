import * as organizations from "../organizations/organizations.ts";
import { profilePath } from "../paths.ts";
import { Avatar, PersonLink } from "../web/components.tsx";
import { countedPage, type Page, type Place } from "./kit.tsx";
import { profilePage, type ProfileVisit, type TabContent, tabOf } from "./profile.tsx";

export async function organizationPage(visit: ProfileVisit, row: organizations.ProfileRow): Promise<Page> {
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

const PER_PAGE = 50;

function membersOf({ source, request }: ProfileVisit, row: organizations.ProfileRow, page: number) {
  const list = { path: profilePath(row.username), perPage: PER_PAGE };
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
