import { duration } from "../community/articles/view.ts";
import { addressOf, type Pictured } from "../content/images/profile-picture.ts";
import { pathUnder, profilePath } from "../platform/paths.ts";
import * as podcasts from "../community/podcasts/reading.ts";
import { beginningOf } from "../content/text/plain-text.ts";
import { sanitise } from "../content/text/sanitise.ts";
import { isHttpUrl } from "../platform/text/urls.ts";
import { Avatar, Breadcrumbs, Day, NoRows, Icon, Pager } from "./kit/components.tsx";
import { Prose, sanitized } from "./kit/html.tsx";
import { countedPage, CountedPages, type Page, type Pages, type Visit } from "./kit.tsx";

export const PODCASTS = { label: "Podcasts", href: "/podcasts" };
const PER_PAGE = 30;

export function podcastRoutes(pages: Pages): void {
  pages.get("/podcasts", { querystring: CountedPages }, directory);
}

async function directory(visit: Visit<{ page: number }>): Promise<Page> {
  const { rows, place } = await countedPage(visit, { path: PODCASTS.href, perPage: PER_PAGE }, (part) =>
    podcasts.list(visit.source.db, part),
  );
  return {
    title: "Podcasts",
    description: "Podcasts, those with the newest episodes first.",
    ...place,
    body: (
      <>
        <h1 class="page-title">Podcasts</h1>
        {rows.length === 0 && <NoRows noun="podcasts" first={place.first} title="No podcasts yet" />}
        <ul class="cards">
          {rows.map((each) => (
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
        <Pager {...place} of="Previous, Next" />
      </>
    ),
  };
}

export async function podcastPage(visit: Visit<{ page: number }>, podcast: Podcast): Promise<Page> {
  const { source, site } = visit;
  const path = profilePath(podcast.slug);
  // Podcasts have no tabs.
  const { tab: _, ...given } = visit.request.given;
  const asked = { request: { url: visit.request.url, given }, query: visit.query };
  const { rows, place } = await countedPage(asked, { path, perPage: PER_PAGE }, (part) =>
    podcasts.episodes(source.db, podcast.id, part),
  );
  const picture = { kind: "podcast", id: podcast.id, profile_image: podcast.image_url } as const;
  return {
    title: podcast.title,
    description: podcast.description === null ? undefined : beginningOf(sanitise(podcast.description)),
    image: addressOf(picture, 640, site.baseUrl),
    data: [{ "@type": "PodcastSeries", name: podcast.title, url: site.baseUrl + path }],
    crumbs: [PODCASTS],
    ...place,
    body: (
      <div class="narrow">
        <Breadcrumbs crumbs={[PODCASTS]} />
        <PodcastHead podcast={podcast} picture={picture} />
        {rows.length === 0 && <NoRows noun="episodes" first={place.first} title="No episodes yet" />}
        <ol class="articles">
          {rows.map((each) => (
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
        <Pager {...place} />
      </div>
    ),
  };
}

type Podcast = NonNullable<Awaited<ReturnType<typeof podcasts.find>>>;

function PodcastHead({ podcast, picture }: { podcast: Podcast; picture: Pictured<"podcast"> }) {
  return (
    <header class="profile">
      <Avatar of={picture} side={128} />
      <div>
        <h1 class="page-title" dir="auto">
          {podcast.title}
        </h1>
        {podcast.description && <Prose html={sanitized(sanitise(podcast.description))} />}
        <p class="facts">
          {podcast.website_url && isHttpUrl(podcast.website_url) && (
            <a href={podcast.website_url} rel="nofollow ugc noopener">
              <Icon name="link" /> Website
            </a>
          )}
          {podcast.feed_url && isHttpUrl(podcast.feed_url) && (
            <a href={podcast.feed_url} rel="nofollow ugc noopener">
              <Icon name="rss" /> Feed
            </a>
          )}
        </p>
      </div>
    </header>
  );
}
