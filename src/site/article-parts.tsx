import type { Around, Neighbour } from "../articles/around.ts";
import type * as comments from "../comments/reading.ts";
import { articlePath, seriesPath } from "../paths.ts";
import { plainText } from "../text/plain-text.ts";
import { counted } from "../web/components.tsx";
import type { Site } from "../web/layout.tsx";
import { ArticleLinks } from "./cards.tsx";
import { CommentTree } from "./comments.tsx";

const HEADING = /<h([1-3]) id="(h-[^"]+)"[^>]*>(.*?)<\/h\1>/gs;
const MIN_HEADINGS = 3;

export function Contents({ html }: { html: string }) {
  const headings = [...html.matchAll(HEADING)].map(([, level, id, text = ""]) => ({
    level,
    id,
    text: plainText(text).trim(),
  }));
  if (headings.length < MIN_HEADINGS) return null;
  return (
    <details class="contents" open>
      <summary>Contents</summary>
      <ol>
        {headings.map(({ level, id, text }) => (
          <li class={`level-${level}`} dir="auto">
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ol>
    </details>
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
  return (
    <nav class="series" aria-labelledby="series-title">
      <h2 id="series-title" dir="auto">
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
    </nav>
  );
}

interface CommentsProps {
  path: string;
  count: number;
  threads: comments.FirstThreads;
  site: Site;
}

export function Comments({ path, count, threads, site }: CommentsProps) {
  return (
    <section class="section" id="comments" aria-labelledby="comments-title">
      <h2 id="comments-title">{count === 0 ? "Comments" : counted(count, "comment")}</h2>
      {threads.rows.length === 0 && <p class="muted">No comments yet.</p>}
      <CommentTree rows={threads.rows} now={site.now} />
      {threads.hasMore && (
        <p>
          <a class="button" href={`${path}/comments`}>
            All comments
          </a>
        </p>
      )}
    </section>
  );
}

export function Neighbours({ title, list }: { title: string; list: readonly Neighbour[] }) {
  if (list.length === 0) return null;
  return (
    <section class="section no-print">
      <h2>{title}</h2>
      <ArticleLinks list={list} />
    </section>
  );
}
