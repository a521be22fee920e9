import { Type } from "typebox";
import { listVideos } from "../community/articles/lists/page.ts";
import { rowsWithVideos } from "../community/articles/reading.ts";
import { duration, video } from "../community/articles/view.ts";
import { isHttpUrl } from "../platform/text/urls.ts";
import { NoRows, Icon, Pager, PersonLink } from "./kit/components.tsx";
import { cursor, cursorPage, type Page, type Pages, type Visit } from "./kit.tsx";

export function videoRoutes(pages: Pages): void {
  pages.get("/videos", { querystring: Type.Object({ cursor }) }, videos);
}

/** A picture that a click replaces by the player; without JavaScript it leads to the video. */
export function Poster({ title, src, href }: { title: string; src: string; href: string }) {
  return (
    <a href={href} data-player class="poster-link" aria-label={`Play ${title}`}>
      <img class="poster" src={src} alt="" width="640" height="360" loading="lazy" />
      <Icon name="play" />
    </a>
  );
}

async function videos(visit: Visit<{ cursor?: string }>): Promise<Page> {
  const { part, place } = await cursorPage(visit, 24, listVideos);
  const list = await rowsWithVideos(visit.source.db, part.rows);
  return {
    title: "Videos",
    description: "Articles with a video.",
    path: "/videos",
    ...place,
    body: (
      <>
        <h1 class="page-title">Videos</h1>
        {list.length === 0 && <NoRows noun="videos" first={place.first} title="No videos yet" />}
        <ul class="cards">
          {list.map((row) => {
            const { path, cloudinary_video_url: poster, video_source_url: source } = video(row);
            return (
              <li>
                <Poster title={row.title} src={poster} href={isHttpUrl(source) ? source : path} />
                <h2 dir="auto">
                  <a href={path}>{row.title}</a>
                </h2>
                <p class="meta">
                  <PersonLink person={row.user} />
                  {row.video_duration_seconds !== null && <span>{duration(row.video_duration_seconds)}</span>}
                </p>
              </li>
            );
          })}
        </ul>
        <Pager {...place} of="Previous, Next" />
      </>
    ),
  };
}
