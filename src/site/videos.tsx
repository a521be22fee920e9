import { Type } from "typebox";
import { listVideos } from "../articles/lists/page.ts";
import { rowsWithVideos } from "../articles/reading.ts";
import { duration, video } from "../articles/view.ts";
import { isHttpUrl } from "../text/urls.ts";
import { Empty, Icon, Pager, PastEnd, PersonLink } from "../web/components.tsx";
import type { Page } from "../web/page.tsx";
import { cursor, firstPage, linkTo, type Pages, type Visit } from "./kit.tsx";

const PER_PAGE = 24;

export function videoRoutes(pages: Pages): void {
  pages.get("/videos", { querystring: Type.Object({ cursor }) }, videos);
}

async function videos({ source, request, query }: Visit<{ cursor?: string }>): Promise<Page> {
  const found = await listVideos(source, { limit: PER_PAGE, offset: 0, cursor: query.cursor });
  const list = await rowsWithVideos(source.db, found.rows);
  const next = linkTo(request, found.next);
  return {
    title: "Videos",
    description: "Articles with a video.",
    path: "/videos",
    isHidden: query.cursor !== undefined,
    next,
    body: (
      <>
        <h1 class="page-title">Videos</h1>
        {list.length === 0 &&
          (query.cursor === undefined ? (
            <Empty title="No videos yet" />
          ) : (
            <PastEnd noun="videos" first={firstPage(request)} />
          ))}
        <ul class="cards">
          {list.map((row) => {
            const { path, cloudinary_video_url: poster, video_source_url: source } = video(row);
            return (
              <li>
                <a
                  href={isHttpUrl(source) ? source : path}
                  data-player
                  class="poster-link"
                  aria-label={`Play ${row.title}`}
                >
                  <img class="poster" src={poster} alt="" width="640" height="360" loading="lazy" />
                  <Icon name="play" />
                </a>
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
        <Pager next={next} of="Previous, Next" />
      </>
    ),
  };
}
