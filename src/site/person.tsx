import { seriesOf } from "../articles/series.ts";
import { idCode } from "../comments/id-codes.ts";
import * as comments from "../comments/reading.ts";
import { notFound } from "../errors.ts";
import * as organizations from "../organizations/organizations.ts";
import { commentPath, profilePath, seriesPath } from "../paths.ts";
import type * as users from "../users/directory.ts";
import { counted, Day, NoRows, Pager, PersonLink, Tabs } from "../web/components.tsx";
import { Prose, sanitized } from "../web/html.tsx";
import type { Page } from "../web/page.tsx";
import { PER_PAGE } from "./home.tsx";
import { cutCounted } from "./kit.tsx";
import {
  articlesBy,
  pageOf,
  ProfileHead,
  type PartOfPage,
  type ProfileVisit,
  type TABS,
} from "./profile.tsx";

export async function personPage(visit: ProfileVisit, user: users.PublicProfile): Promise<Page> {
  const path = profilePath(user.username);
  const picture = { kind: "user", id: user.id, profile_image: user.profile_image } as const;
  const { tab } = visit.query;
  if (tab === "members") throw notFound();
  const part = await (tab === undefined ? articlesBy(visit, { authorId: user.id }) : PARTS[tab](visit, user));
  return pageOf(
    visit,
    { ...user, picture, path },
    {
      ...part,
      isHidden: part.isHidden === true || tab !== undefined || user.suspended,
      body: (
        <div class="narrow">
          <ProfileHead of={user} picture={picture} text={user.summary} website={user.website_url} />
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

const PARTS: Record<
  Exclude<(typeof TABS)[number], "members">,
  (visit: ProfileVisit, user: users.PublicProfile) => Promise<PartOfPage>
> = { comments: commentsBy, series: seriesBy, about: aboutPerson };

async function commentsBy(visit: ProfileVisit, user: users.PublicProfile): Promise<PartOfPage> {
  const { source, site, query } = visit;
  const { page } = query;
  const path = `${profilePath(user.username)}?tab=comments`;
  const list = await comments.listBy(source.db, user.id, {
    limit: PER_PAGE + 1,
    offset: (page - 1) * PER_PAGE,
  });
  const { rows, first, place } = cutCounted(list, { path, page, perPage: PER_PAGE });
  if (rows.length === 0) {
    return { ...place, body: <NoRows noun="comments" first={first} title="No comments yet" /> };
  }
  const body = (
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
  return { ...place, body };
}

const SERIES_PER_PAGE = 100;

async function seriesBy(
  { source, query: { page } }: ProfileVisit,
  user: users.PublicProfile,
): Promise<PartOfPage> {
  const list = await seriesOf(source.db, user.id, {
    limit: SERIES_PER_PAGE + 1,
    offset: (page - 1) * SERIES_PER_PAGE,
  });
  const path = `${profilePath(user.username)}?tab=series`;
  const { rows, first, place } = cutCounted(list, { path, page, perPage: SERIES_PER_PAGE });
  if (rows.length === 0) {
    return { ...place, body: <NoRows noun="series" first={first} title="No series yet" /> };
  }
  return {
    ...place,
    body: (
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
    ),
  };
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
