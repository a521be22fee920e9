import { seriesOf } from "../articles/series.ts";
import { idCode } from "../comments/id-codes.ts";
import * as comments from "../comments/reading.ts";
import { notFound } from "../errors.ts";
import * as organizations from "../organizations/organizations.ts";
import { commentPath, profilePath, seriesPath } from "../paths.ts";
import type * as users from "../users/directory.ts";
import { counted, Day, PersonLink } from "../web/components.tsx";
import { Prose, sanitized } from "../web/html.tsx";
import { PER_PAGE } from "./home.tsx";
import { countedPage, type Page } from "./kit.tsx";
import { profilePage, type ProfileVisit, type Tab, type TabContent, tabOf } from "./profile.tsx";

export async function personPage(visit: ProfileVisit, user: users.PublicProfile): Promise<Page> {
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
