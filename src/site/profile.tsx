import type { ComponentChildren } from "preact";
import { Type } from "typebox";
import { publishedBy, type Subject } from "../community/articles/subjects.ts";
import type { Pictured } from "../content/images/profile-picture.ts";
import { reportPath } from "../platform/paths.ts";
import { isHttpUrl } from "../platform/text/urls.ts";
import { Acts, Follow, pressedIn } from "./acts.tsx";
import { Avatar, Day, Icon, NoRows, Pager, Tabs } from "./kit/components.tsx";
import { ArticleCards } from "./cards.tsx";
import { articlesOf } from "./home.tsx";
import { CountedPages, cursor, type Page, type Place, type Visit } from "./kit.tsx";

const TABS = ["comments", "series", "about", "members"] as const;
export type Tab = (typeof TABS)[number];
export const ProfileQuery = Type.Object({
  tab: Type.Optional(Type.Enum([...TABS])),
  cursor,
  ...CountedPages.properties,
});
interface Query {
  tab?: Tab;
  cursor?: string;
  page: number;
}

export type ProfileVisit = Visit<Query, { name: string }>;

export interface TabContent {
  body: ComponentChildren;
  place?: Place;
}

interface Profile {
  of: Pictured & {
    name: string;
    username: string;
    summary: string | null;
    location: string | null;
    codehost_username: string | null;
    created_at: Date;
  };
  text: string | null;
  website: string | null;
  notice?: string | undefined;
  tabs: readonly Tab[];
  show: (tab: Tab) => Promise<TabContent>;
  below?: ComponentChildren;
}

export async function profilePage(
  visit: ProfileVisit,
  { of, tabs, show, below, notice, ...head }: Profile,
): Promise<Page> {
  const { site, query } = visit;
  const subject = publishedBy(of, site.baseUrl);
  const { path, title, description, picture: image, feed } = subject;
  const { body, place } = await (query.tab === undefined ? articlesBy(visit, subject, of) : show(query.tab));
  const pressed = await pressedIn(
    visit,
    of.kind === "user" ? { users: [of.id] } : { organizations: [of.id] },
  );
  return {
    path,
    ...place,
    title,
    description,
    kind: "profile",
    image,
    properties: [["profile:username", of.username]],
    feeds: [feed],
    data: [dataOf(visit, of, subject)],
    isHidden: place?.isHidden === true || query.tab !== undefined || notice !== undefined,
    body: (
      <div class="narrow">
        <ProfileHead of={of} pressed={pressed} viewer={site.viewer} {...head} />
        <Acts back={path} />
        {notice && <p class="notice">{notice}</p>}
        <Tabs
          label={of.name}
          tabs={[
            { label: "Articles", href: path, isCurrent: query.tab === undefined },
            ...tabs.map((tab) => ({
              label: tab[0]?.toUpperCase() + tab.slice(1),
              href: `${path}?tab=${tab}`,
              isCurrent: tab === query.tab,
            })),
          ]}
        />
        {body}
        <Pager prev={place?.prev} next={place?.next} />
        {below}
      </div>
    ),
  };
}

function dataOf({ site }: ProfileVisit, of: Profile["of"], { path, picture }: Subject): object {
  return {
    "@type": "ProfilePage",
    mainEntity: {
      "@type": of.kind === "user" ? "Person" : "Organization",
      name: of.name,
      alternateName: of.username,
      url: site.baseUrl + path,
      image: picture,
      ...(of.summary && { description: of.summary }),
    },
  };
}

interface ProfileHeadProps extends Pick<Profile, "of" | "text" | "website"> {
  pressed: ReadonlySet<string>;
  viewer: Visit["site"]["viewer"];
}

function ProfileHead({ of, text, website, pressed, viewer }: ProfileHeadProps) {
  const site = website?.trim() ?? "";
  return (
    <header class="profile">
      <Avatar of={of} side={96} />
      <div>
        <h1 class="page-title" dir="auto">
          {of.name}
        </h1>
        <p class="muted">@{of.username}</p>
        <Follow kind={of.kind} id={of.id} name={of.name} pressed={pressed} viewer={viewer} />
        {text && <p dir="auto">{text}</p>}
        <div class="facts">
          {of.location && (
            <span>
              <Icon name="map-pin" /> {of.location}
            </span>
          )}
          {isHttpUrl(site) && (
            <a href={site} rel="nofollow ugc noopener">
              <Icon name="link" /> {site.replace(/^https?:\/\/(?:www\.)?/i, "").replace(/\/$/, "")}
            </a>
          )}
          {of.codehost_username && (
            <span>
              <Icon name="code-xml" /> {of.codehost_username}
            </span>
          )}
          <span>
            <Icon name="calendar" /> Joined <Day date={of.created_at} />
          </span>
          {of.kind === "user" && viewer?.id !== of.id && (
            <a href={reportPath("user", of.id)} rel="nofollow">
              Report
            </a>
          )}
        </div>
      </div>
    </header>
  );
}

async function articlesBy(visit: ProfileVisit, subject: Subject, { kind }: Pictured): Promise<TabContent> {
  const { rows, place } = await articlesOf(visit, subject);
  return tabOf(
    "articles",
    place,
    rows.length > 0 && <ArticleCards rows={rows} now={visit.site.now} of={kind} />,
  );
}

/** @param body false for a page without rows */
export function tabOf(noun: string, place: Place, body: ComponentChildren): TabContent {
  return { place, body: body || <NoRows noun={noun} first={place.first} title={`No ${noun} yet`} /> };
}
