import { duration } from "../community/articles/view.ts";
import * as comments from "../community/comments/reading.ts";
import { addressOf } from "../content/images/profile-picture.ts";
import { pathUnder, profilePath } from "../platform/paths.ts";
import * as podcasts from "../community/podcasts/reading.ts";
import { beginningOf } from "../content/text/plain-text.ts";
import { sanitise } from "../content/text/sanitise.ts";
import { isHttpUrl } from "../platform/text/urls.ts";
import { Avatar, Breadcrumbs, Day } from "./kit/components.tsx";
import { Prose, sanitized } from "./kit/html.tsx";
import type { Site } from "./kit/layout.tsx";
import { Comments } from "./article-parts.tsx";
import { commentReader, FIRST_SHOWN } from "./comments.tsx";
import type { Page, Visit } from "./kit.tsx";
import { PODCASTS } from "./podcasts.tsx";

export function episodeAt({ source }: Visit, { name, slug }: { name: string; slug: string }) {
  return podcasts.findEpisode(source.db, name.toLowerCase(), slug.toLowerCase());
}

type Episode = NonNullable<Awaited<ReturnType<typeof episodeAt>>>;

export async function episodePage(visit: Visit, row: Episode): Promise<Page> {
  const { source, site } = visit;
  const target = { episode_id: row.id };
  const threads = await comments.firstThreads(source.db, target, FIRST_SHOWN);
  const reader = await commentReader(visit, { rows: threads.rows, ownerId: row.owner_id });
  const path = pathUnder(row.podcast_slug, row.slug);
  const picture = { kind: "podcast", id: row.podcast_id, profile_image: row.podcast_image_url } as const;
  const crumbs = [PODCASTS, { label: row.podcast_title, href: profilePath(row.podcast_slug) }];
  return {
    title: row.title,
    description: (row.summary && beginningOf(sanitise(row.summary))) || `An episode of ${row.podcast_title}.`,
    path,
    image: row.image_url ?? addressOf(picture, 640, site.baseUrl),
    data: [dataOf(site, row)],
    crumbs,
    hasText: true,
    body: (
      <article class="narrow">
        <Breadcrumbs crumbs={crumbs} />
        <header class="profile">
          <Avatar of={picture} side={96} />
          <div>
            <h1 class="page-title" dir="auto">
              {row.title}
            </h1>
            <p class="meta">
              {row.published_at && <Day date={row.published_at} />}
              {row.duration_seconds !== null && <span>{duration(row.duration_seconds)}</span>}
            </p>
          </div>
        </header>
        <Recording row={row} />
        {row.summary && <Prose html={sanitized(sanitise(row.summary))} />}
        <Comments path={path} target={target} threads={threads} site={site} reader={reader} />
      </article>
    ),
  };
}

function Recording({ row: { media_url, reachable, title } }: { row: Episode }) {
  if (!isHttpUrl(media_url)) return null;
  return (
    <>
      {reachable ? (
        <audio class="player" controls preload="none" src={media_url} aria-label={title} />
      ) : (
        <p class="notice">The audio file can't be reached at present.</p>
      )}
      <p>
        <a href={media_url} rel="nofollow ugc noopener">
          Download the recording
        </a>
      </p>
    </>
  );
}

function dataOf({ baseUrl }: Site, row: Episode): object {
  return {
    "@type": "PodcastEpisode",
    name: row.title,
    url: baseUrl + pathUnder(row.podcast_slug, row.slug),
    ...(row.published_at && { datePublished: row.published_at.toISOString() }),
    ...(row.duration_seconds !== null && { timeRequired: `PT${row.duration_seconds}S` }),
    ...(isHttpUrl(row.media_url) && {
      associatedMedia: { "@type": "MediaObject", contentUrl: row.media_url },
    }),
    partOfSeries: {
      "@type": "PodcastSeries",
      name: row.podcast_title,
      url: baseUrl + profilePath(row.podcast_slug),
    },
  };
}
