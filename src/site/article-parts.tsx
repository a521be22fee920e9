import type { Around, Neighbour } from "../community/articles/around.ts";
import type * as comments from "../community/comments/reading.ts";
import { articlePath, seriesPath } from "../platform/paths.ts";
import { directionOf } from "../content/text/direction.ts";
import type { Heading } from "../content/text/page-html.ts";
import { counted, Folded } from "./kit/components.tsx";
import type { Site } from "./kit/layout.tsx";
import { ArticleLinks } from "./cards.tsx";
import { Acts } from "./acts.tsx";
import { CommentForm } from "./commenting.tsx";
import { newlyTyped } from "./forms.tsx";
import { type CommentReader, CommentTree } from "./comments.tsx";

const MIN_HEADINGS = 3;

export function Contents({ headings }: { headings: readonly Heading[] }) {
  if (headings.length < MIN_HEADINGS) return null;
  return (
    <nav class="contents" aria-label="Contents">
      <Folded summary="Contents">
        <p class="contents-title" aria-hidden="true">
          Contents
        </p>
        <ol>
          {headings.map(({ level, id, text }) => (
            <li class={`level-${level}`} dir="auto">
              <a href={`#${id}`}>{text}</a>
            </li>
          ))}
        </ol>
      </Folded>
    </nav>
  );
}

export function SeriesBox({
  series,
  current,
  author,
}: {
  series: Around["series"];
  current: number;
  author: string;
}) {
  if (series === undefined || series.articles.length < 2) return null;
  const part = series.articles.findIndex(({ id }) => id === current) + 1;
  const place = series.hasMore ? "Series" : `Part ${part} of ${series.articles.length}`;
  return (
    <nav class="series" aria-label="Series" dir={directionOf(series.name)}>
      <Folded summary={`${place}: ${series.name}`}>
        <h2 dir="auto">
          Series: <a href={seriesPath(author, series.name)}>{series.name}</a>
        </h2>
        <ol>
          {series.articles.map((each) => (
            <li dir="auto">
              {each.id === current ? (
                <span aria-current="page">{each.title}</span>
              ) : (
                <a href={articlePath(each)}>{each.title}</a>
              )}
            </li>
          ))}
        </ol>
        {series.hasMore && (
          <p>
            The first {series.articles.length} of its articles.{" "}
            <a href={seriesPath(author, series.name)}>All articles of this series</a>
          </p>
        )}
      </Folded>
    </nav>
  );
}

interface CommentsProps {
  path: string;
  target: comments.Target;
  /** The number of all, where it is stored. */
  count?: number;
  threads: comments.FirstThreads;
  site: Site;
  reader: CommentReader;
}

/** The first threads, the form for another comment, and the form of all buttons on the page. */
export function Comments({ path, target, count = 0, threads, site, reader }: CommentsProps) {
  return (
    <section class="section" id="comments" aria-labelledby="comments-title">
      <h2 id="comments-title">{count === 0 ? "Comments" : counted(count, "comment")}</h2>
      {threads.rows.length === 0 && <p class="muted">No comments yet.</p>}
      <CommentTree rows={threads.rows} now={site.now} reader={reader} />
      {threads.hasMore && (
        <p>
          <a class="button" href={`${path}/comments`}>
            All comments
          </a>
        </p>
      )}
      <CommentForm target={target} back={path} typed={newlyTyped(site)} />
      <Acts back={path} />
    </section>
  );
}

interface NeighboursProps {
  title: string;
  list: readonly Neighbour[];
  of?: "user";
}

export function Neighbours({ title, list, of }: NeighboursProps) {
  if (list.length === 0) return null;
  return (
    <section class="section no-print">
      <h2>{title}</h2>
      <ArticleLinks list={list} of={of} />
    </section>
  );
}
