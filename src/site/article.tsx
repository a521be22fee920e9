import { Type } from "typebox";
import { around } from "../community/articles/around.ts";
import { isHeld, isPublic } from "../community/articles/publication-status.ts";
import { contentsOf, findWithBody, type PageRow } from "../community/articles/page.ts";
import { findByPath as findInMain, wasDeleted } from "../community/articles/reading.ts";
import { feedBy } from "../community/articles/subjects.ts";
import { canonicalUrl, socialImage } from "../community/articles/view.ts";
import * as comments from "../community/comments/reading.ts";
import { reactionCounts } from "../community/taking-part/taking-part.ts";
import { notFound } from "../platform/errors.ts";
import { articlePath, pathUnder, profilePath, reportPath } from "../platform/paths.ts";
import { directionOf } from "../content/text/direction.ts";
import { formatMoment } from "../platform/text/dates.ts";
import { isHttpUrl, parseUrl } from "../platform/text/urls.ts";
import { Avatar, counted, Day, TagList } from "./kit/components.tsx";
import { Prose, sanitized } from "./kit/html.tsx";
import type { Site } from "./kit/layout.tsx";
import { ArticleActs, Follow } from "./acts.tsx";
import { Comments, Contents, Neighbours, SeriesBox } from "./article-parts.tsx";
import { AuthorLinks, teaser } from "./cards.tsx";
import { editPath } from "./editor-form.tsx";
import { commentReader, FIRST_SHOWN } from "./comments.tsx";
import { Gone, type Moved, moved, type Page, type Pages, type Visit } from "./kit.tsx";
import { episodeAt, episodePage } from "./episode.tsx";
import { Poster } from "./videos.tsx";

const Path = Type.Object({ name: Type.String(), slug: Type.String() });

export function articleRoutes(pages: Pages): void {
  pages.get("/:name/:slug", { params: Path }, articleOrEpisode);
}

async function articleOrEpisode(visit: Visit<object, { name: string; slug: string }>): Promise<Page | Moved> {
  const { source, params, site, services } = visit;
  const path = pathUnder(params.name, params.slug);
  const found = await findWithBody(source.db, params, services.fragments);
  if (found !== undefined && isPublic(found.row, site.now)) {
    const { row, html } = found;
    const current = articlePath(row);
    return current === path ? articlePage(visit, row as Published, html) : moved(visit.request, current);
  }
  const draft = await ownDraft(visit, path, found?.row.unpublish_reason);
  if (draft !== undefined) return draft;
  const episode = found === undefined ? await episodeAt(visit, params) : undefined;
  if (episode !== undefined) {
    const current = pathUnder(episode.podcast_slug, episode.slug);
    return current === path ? episodePage(visit, episode) : moved(visit.request, current);
  }
  if (await wasDeleted(source.db, path, site.now)) throw new Gone();
  throw notFound();
}

/** An article that is not public answers to its author alone, from the database that they have just written to. */
async function ownDraft(
  { site, services }: Visit,
  path: string,
  unpublish_reason: string | null = null,
): Promise<Page | undefined> {
  const { viewer, now } = site;
  const row = viewer ? await findInMain(services.db.main, path) : undefined;
  if (row === undefined || row.author_id !== viewer?.id || isPublic(row, now)) return undefined;
  const held = isHeld({ ...row, unpublish_reason });
  const shown = { ...row, published_at: row.published_at ?? row.created_at };
  return {
    title: row.title,
    isHidden: true,
    body: (
      <article class="narrow">
        <form class="notice no-print" method="post" action={editPath(row)}>
          <p>
            {held ? "A moderator has unpublished this article" : waitingFor(row)}: only you see it.
            {held && unpublish_reason && ` The reason: ${unpublish_reason}`}
          </p>
          <a class="button" href={editPath(row)}>
            Edit
          </a>{" "}
          {row.state !== "scheduled" && !held && (
            <button class="button strong" name="act" value="publish">
              Publish
            </button>
          )}
        </form>
        <ArticleHead site={site} row={shown} lang={undefined} pressed={new Set()} />
        <Prose html={sanitized(row.body_html)} />
      </article>
    ),
  };
}

function waitingFor({ state, published_at }: Pick<PageRow, "state" | "published_at">): string {
  if (state === "scheduled" && published_at) return `This will be published on ${formatMoment(published_at)}`;
  return state === "draft" ? "This is a draft" : "This is unpublished";
}

type Published = PageRow & { published_at: Date };

async function articlePage(visit: Visit, row: Published, html: () => string): Promise<Page> {
  const { site, source } = visit;
  const target = { article_id: row.id };
  const [threads, beside, counts] = await Promise.all([
    row.comments_count === 0
      ? { rows: [], hasMore: false }
      : comments.firstThreads(source.db, target, FIRST_SHOWN),
    around(source.db, row),
    row.public_reactions_count === 0 ? {} : reactionCounts(source.db, row.id),
  ]);
  const { author_id, organization_id } = row;
  const more = { articles: [row.id], users: [author_id], organizations: [organization_id ?? 0] };
  const reader = await commentReader(visit, { rows: threads.rows, ownerId: author_id, more });
  const path = articlePath(row);
  const lang = row.language ?? undefined;
  const publisher = row.organization ?? row.user;
  const crumbs = [{ label: publisher.name, href: profilePath(publisher.username) }];
  return {
    ...headOf(site, row),
    path,
    madeFrom: [row, threads, beside, counts, site.now.getUTCFullYear()],
    data: [dataOf(site, row, lang)],
    crumbs,
    counted: row,
    hasText: true,
    body: (
      <article class="narrow">
        <ArticleHead site={site} row={row} lang={lang} pressed={reader.pressed} />
        <Contents headings={contentsOf(row)} />
        <SeriesBox series={beside.series} current={row.id} author={row.user.username} />
        <Body html={html} lang={lang} />
        <ArticleActs id={row.id} counts={counts} pressed={reader.pressed} />
        <Comments
          path={path}
          target={target}
          count={row.comments_count}
          threads={threads}
          site={site}
          reader={reader}
        />
        <Neighbours title={`More by ${row.user.name}`} list={beside.byAuthor} of="user" />
        <Neighbours title="Related articles" list={beside.related} />
      </article>
    ),
  };
}

/** A component, so that the HTML is loaded only for a page that is made. */
function Body({ html, lang }: { html: () => string; lang: string | undefined }) {
  return <Prose html={sanitized(html())} isFitted lang={lang} />;
}

function headOf(site: Site, row: Published) {
  const canonical = canonicalUrl(row, site.baseUrl);
  return {
    title: row.title,
    description: teaser(row),
    kind: "article" as const,
    ...(isHttpUrl(canonical) && { canonical }),
    image: socialImage(row, site.baseUrl),
    properties: [
      ["article:published_time", row.published_at.toISOString()],
      ...(row.edited_at ? [["article:modified_time", row.edited_at.toISOString()]] : []),
      ["article:author", site.baseUrl + profilePath(row.user.username)],
      ...row.tag_list.map((tag) => ["article:tag", tag]),
    ] as [string, string][],
    feeds: [feedBy(row.user)],
  };
}

/** schema.org Article. */
function dataOf({ baseUrl, settings }: Site, row: Published, lang: string | undefined): object {
  const { user, organization } = row;
  const publisher = organization
    ? { name: organization.name, url: baseUrl + profilePath(organization.username) }
    : { name: settings.community_name, url: baseUrl };
  return {
    "@type": "Article",
    headline: row.title,
    description: teaser(row),
    image: socialImage(row, baseUrl),
    datePublished: row.published_at.toISOString(),
    dateModified: (row.edited_at ?? row.published_at).toISOString(),
    mainEntityOfPage: baseUrl + articlePath(row),
    ...(lang !== undefined && { inLanguage: lang }),
    keywords: row.tag_list.join(", "),
    commentCount: row.comments_count,
    author: { "@type": "Person", name: user.name, url: baseUrl + profilePath(user.username) },
    publisher: { "@type": "Organization", ...publisher },
  };
}

type Headed = Omit<Published, "version" | "language" | "contents" | "unpublish_reason">;

interface ArticleHeadProps {
  site: Site;
  row: Headed;
  lang: string | undefined;
  pressed: ReadonlySet<string>;
}

function ArticleHead({ site, row, lang, pressed }: ArticleHeadProps) {
  const { user, edited_at, published_at, author_id, organization, organization_id } = row;
  const origin = originOf(row.canonical_url, site.baseUrl);
  return (
    <header class="article-head" dir={directionOf(row.title)}>
      <Cover row={row} />
      <h1 dir="auto" lang={lang}>
        {row.title}
      </h1>
      <div class="byline">
        <Avatar of={{ kind: "user", ...user }} side={40} />
        <div>
          <AuthorLinks row={row} />
          <Follow kind="user" id={author_id} name={user.name} pressed={pressed} viewer={site.viewer} />
          {organization && organization_id !== null && (
            <Follow kind="organization" id={organization_id} name={organization.name} pressed={pressed} />
          )}
          <div class="meta">
            <Day date={published_at} />
            {edited_at !== null && (
              <span>
                edited <Day date={edited_at} />
              </span>
            )}
            <span>{row.reading_time_minutes} min read</span>
            {author_id === site.viewer?.id && <a href={editPath(row)}>Edit</a>}
            {row.public_reactions_count > 0 && <span>{counted(row.public_reactions_count, "reaction")}</span>}
            {row.comments_count > 0 && <a href="#comments">{counted(row.comments_count, "comment")}</a>}
            {site.viewer?.id !== author_id && (
              <a href={reportPath("article", row.id)} rel="nofollow">
                Report
              </a>
            )}
          </div>
        </div>
      </div>
      <TagList names={row.tag_list} />
      {origin !== undefined && (
        <p class="notice small">
          First published at <a href={origin.href}>{origin.host}</a>.
        </p>
      )}
    </header>
  );
}

/** The video's poster where there is a video, else the cover. */
function Cover({ row }: { row: Headed }) {
  const { title, main_image, video_source_url: video, video_thumbnail_url } = row;
  const poster = video_thumbnail_url ?? main_image;
  if (video !== null && isHttpUrl(video) && poster !== null) {
    return <Poster title={title} src={poster} href={video} />;
  }
  if (main_image === null) return null;
  return <img class="cover" src={main_image} alt="" width="1000" height="420" />;
}

/** The canonical address if it is on another site. */
function originOf(canonical: string | null, baseUrl: string): URL | undefined {
  const url = parseUrl(canonical?.trim() ?? "");
  return url !== undefined && /^https?:$/.test(url.protocol) && url.origin !== new URL(baseUrl).origin
    ? url
    : undefined;
}
