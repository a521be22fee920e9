import { duration } from "../articles/view.ts";
import * as comments from "../comments/reading.ts";
import { addressOf } from "../images/profile-picture.ts";
import { pathUnder, profilePath } from "../paths.ts";
import * as podcasts from "../podcasts/reading.ts";
import { sanitise } from "../text/sanitise.ts";
import { Avatar, breadcrumbData, Breadcrumbs, Day, Empty, Icon, Pager } from "../web/components.tsx";
import { Prose, sanitized } from "../web/html.tsx";
import type { Page } from "../web/page.tsx";
import { CommentTree } from "./comments.tsx";
import { CountedPages, countedLinks, type Pages, type Visit } from "./kit.tsx";

const PODCASTS = { label: "Podcasts", href: "/podcasts" };
const PER_PAGE = 30;

export function podcastRoutes(pages: Pages): void {
  pages.get("/podcasts", { querystring: CountedPages }, directory);
}

async function directory({ source, request, query: { page } }: Visit<{ page: number }>): Promise<Page> {
  const list = await podcasts.list(source.db, { limit: PER_PAGE + 1, offset: (page - 1) * PER_PAGE });
  const links = countedLinks(request, { page, hasNext: list.length > PER_PAGE });
  return {
    title: "Podcasts",
    path: "/podcasts",
    ...links,
    body: (
      <>
        <h1 class="page-title">Podcasts</h1>
        {list.length === 0 && <Empty title={page === 1 ? "No podcasts yet" : "No more podcasts"} />}
        <ul class="cards">
          {list.slice(0, PER_PAGE).map((each) => (
            <li class="person-row">
              <Avatar of={{ kind: "podcast", id: each.id, profile_image: each.image_url }} side={96} />
              <div>
                <h2 dir="auto">
                  <a href={profilePath(each.slug)}>{each.title}</a>
                </h2>
                {each.newest_at && (
                  <p class="muted small">
                    Last episode <Day date={each.newest_at} />
                  </p>
                )}
              </div>
            </li>
          ))}
        </ul>
        <Pager {...links} of="Previous, Next" />
      </>
    ),
  };
}

/** The page of a podcast's name; undefined without a podcast of this name. */
export async function podcastPage(
  { source, site, request, query: { page } }: Visit<{ page: number }>,
  name: string,
): Promise<Page | undefined> {
  const podcast = await podcasts.find(source.db, name);
  if (podcast === undefined) return undefined;
  const part = { limit: PER_PAGE + 1, offset: (page - 1) * PER_PAGE };
  const list = await podcasts.episodes(source.db, podcast.id, part);
  const links = countedLinks(request, { page, hasNext: list.length > PER_PAGE });
  const picture = { kind: "podcast", id: podcast.id, profile_image: podcast.image_url } as const;
  const path = profilePath(podcast.slug);
  return {
    title: podcast.title,
    description: podcast.description ?? undefined,
    path,
    image: addressOf(picture, 640, site.baseUrl),
    data: [{ "@type": "PodcastSeries", name: podcast.title, url: site.baseUrl + path }],
    ...links,
    body: (
      <div class="narrow">
        <Breadcrumbs crumbs={[PODCASTS]} />
        <header class="profile">
          <Avatar of={picture} side={128} />
          <div>
            <h1 class="page-title" dir="auto">
              {podcast.title}
            </h1>
            {podcast.description && <Prose html={sanitized(sanitise(podcast.description))} />}
            <p class="facts">
              {podcast.website_url && (
                <a href={podcast.website_url} rel="nofollow ugc noopener">
                  <Icon name="link" /> Website
                </a>
              )}
              {podcast.feed_url && (
                <a href={podcast.feed_url} rel="nofollow ugc noopener">
                  <Icon name="rss" /> Feed
                </a>
              )}
            </p>
          </div>
        </header>
        {list.length === 0 && <Empty title={page === 1 ? "No episodes yet" : "No more episodes"} />}
        <ol class="articles">
          {list.slice(0, PER_PAGE).map((each) => (
            <li>
              <h2 dir="auto">
                <a href={pathUnder(podcast.slug, each.slug)}>{each.title}</a>
              </h2>
              <p class="meta">
                {each.published_at && <Day date={each.published_at} now={site.now} />}
                {each.duration_seconds !== null && <span>{duration(each.duration_seconds)}</span>}
              </p>
            </li>
          ))}
        </ol>
        <Pager {...links} />
      </div>
    ),
  };
}

export function episodeAt({ source }: Visit, { name, slug }: { name: string; slug: string }) {
  return podcasts.findEpisode(source.db, name.toLowerCase(), slug.toLowerCase());
}

type Episode = NonNullable<Awaited<ReturnType<typeof episodeAt>>>;

const SHOWN_THREADS = 100;

export async function episodePage({ source, site }: Visit, row: Episode): Promise<Page> {
  const threads = await comments.firstThreads(source.db, { episode_id: row.id }, SHOWN_THREADS);
  const path = pathUnder(row.podcast_slug, row.slug);
  const picture = { kind: "podcast", id: row.podcast_id, profile_image: row.podcast_image_url } as const;
  const crumbs = [PODCASTS, { label: row.podcast_title, href: profilePath(row.podcast_slug) }];
  return {
    title: row.title,
    description: `An episode of ${row.podcast_title}.`,
    path,
    image: row.image_url ?? addressOf(picture, 640, site.baseUrl),
    data: [
      {
        "@type": "PodcastEpisode",
        name: row.title,
        url: site.baseUrl + path,
        associatedMedia: { "@type": "MediaObject", contentUrl: row.media_url },
        partOfSeries: { "@type": "PodcastSeries", name: row.podcast_title },
      },
      breadcrumbData(site.baseUrl, crumbs),
    ],
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
        {row.reachable ? (
          <audio class="player" controls preload="none" src={row.media_url} aria-label={row.title} />
        ) : (
          <p class="notice">The recording can't be reached at present.</p>
        )}
        <p>
          <a href={row.media_url} rel="nofollow ugc noopener">
            Download the recording
          </a>
        </p>
        {row.summary && <Prose html={sanitized(sanitise(row.summary))} />}
        <section class="section" id="comments">
          <h2>Comments</h2>
          {threads.rows.length === 0 && <p class="muted">No comments yet.</p>}
          <CommentTree rows={threads.rows} now={site.now} />
        </section>
      </article>
    ),
  };
}
