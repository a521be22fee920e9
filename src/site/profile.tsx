import { Type } from "typebox";
import { listNewest } from "../articles/lists/page.ts";
import { rows } from "../articles/reading.ts";
import { addressOf, type Pictured } from "../images/profile-picture.ts";
import { feedPath } from "../paths.ts";
import { Day, Empty, Icon, PastEnd } from "../web/components.tsx";
import type { Page } from "../web/page.tsx";
import { ArticleCards } from "./cards.tsx";
import { PER_PAGE } from "./home.tsx";
import { CountedPages, cursor, firstPage, linkTo, type Visit } from "./kit.tsx";

export const TABS = ["comments", "series", "about"] as const;
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

interface FactsProps {
  location: string | null;
  website: string | null;
  code: string | null;
  joined: Date;
}

export function Facts({ location, website, code, joined }: FactsProps) {
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
    const body = isHidden ? (
      <PastEnd noun="articles" first={firstPage(request)} />
    ) : (
      <Empty title="No articles yet" />
    );
    return { body, isHidden };
  }
  return { body: <ArticleCards rows={list} now={site.now} />, next: linkTo(request, found.next), isHidden };
}
