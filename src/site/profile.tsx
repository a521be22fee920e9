import { Type } from "typebox";
import { listNewest } from "../articles/lists/page.ts";
import { rows } from "../articles/reading.ts";
import { addressOf, type Pictured } from "../images/profile-picture.ts";
import { feedPath } from "../paths.ts";
import { isHttpUrl } from "../text/urls.ts";
import { Avatar, Day, NoRows, Icon } from "../web/components.tsx";
import type { Page } from "../web/page.tsx";
import { ArticleCards } from "./cards.tsx";
import { PER_PAGE } from "./home.tsx";
import { CountedPages, cursor, firstPage, linkTo, type Visit } from "./kit.tsx";

export const TABS = ["comments", "series", "about", "members"] as const;
export const ProfileQuery = Type.Object({
  tab: Type.Optional(Type.Enum([...TABS])),
  cursor,
  ...CountedPages.properties,
});
interface Query {
  tab?: (typeof TABS)[number];
  cursor?: string;
  page: number;
}

export type ProfileVisit = Visit<Query, { name: string }>;

interface Shown {
  id: number;
  name: string;
  username: string;
  summary: string | null;
  picture: Pictured;
  path: string;
}

/** What pages of people and organizations share. */
export function pageOf(visit: ProfileVisit, shown: Shown, rest: Pick<Page, "body"> & Partial<Page>): Page {
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

interface ProfileHeadProps {
  of: {
    name: string;
    username: string;
    location: string | null;
    codehost_username: string | null;
    created_at: Date;
  };
  picture: Pictured;
  text: string | null;
  website: string | null;
}

export function ProfileHead({ of, picture, text, website }: ProfileHeadProps) {
  const site = website?.trim() ?? "";
  return (
    <header class="profile">
      <Avatar of={picture} side={96} />
      <div>
        <h1 class="page-title" dir="auto">
          {of.name}
        </h1>
        <p class="muted">@{of.username}</p>
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
        </div>
      </div>
    </header>
  );
}

/** A tab of a profile. */
export type PartOfPage = Pick<Page, "body" | "prev" | "next" | "isHidden"> & Partial<Pick<Page, "path">>;

export async function articlesBy(
  { source, site, request, query }: ProfileVisit,
  of: { authorId: number } | { organizationId: number },
): Promise<PartOfPage> {
  const found = await listNewest(source, of, { limit: PER_PAGE, offset: 0, cursor: query.cursor });
  const list = await rows(source.db, found.rows);
  const isHidden = query.cursor !== undefined;
  if (list.length === 0) {
    return {
      body: <NoRows noun="articles" first={firstPage(request)} title="No articles yet" />,
      isHidden,
    };
  }
  const cards = <ArticleCards rows={list} now={site.now} of={"authorId" in of ? "person" : "organization"} />;
  return { body: cards, next: linkTo(request, found.next), isHidden };
}
