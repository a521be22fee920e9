import * as organizations from "../organizations/organizations.ts";
import { profilePath } from "../paths.ts";
import { Avatar, Pager, PersonLink, Tabs } from "../web/components.tsx";
import type { Page } from "../web/page.tsx";
import { articlesBy, pageOf, ProfileHead, type PartOfPage, type ProfileVisit } from "./profile.tsx";

export async function organizationPage(visit: ProfileVisit, row: organizations.ProfileRow): Promise<Page> {
  const { source } = visit;
  const path = profilePath(row.username);
  const picture = { kind: "organization", id: row.id, profile_image: row.profile_image } as const;
  const { tab } = visit.query;
  const part: PartOfPage =
    tab === undefined
      ? await articlesBy(visit, { organizationId: row.id })
      : { body: <OrganizationText row={row} /> };
  const members = await organizations.listPeople(source.db, row.id, { limit: 50, offset: 0 });
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
              { label: "About", href: `${path}?tab=about`, isCurrent: tab !== undefined },
            ]}
          />
          {part.body}
          <Pager next={part.next} />
          <Members list={members} />
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

type Member = Awaited<ReturnType<typeof organizations.listPeople>>[number];

function Members({ list }: { list: readonly Member[] }) {
  if (list.length === 0) return null;
  return (
    <section class="section">
      <h2>Members</h2>
      <ul class="cards">
        {list.map((each) => (
          <li class="person-row">
            <Avatar of={{ kind: "user", ...each }} />
            <PersonLink person={each} />
          </li>
        ))}
      </ul>
    </section>
  );
}
