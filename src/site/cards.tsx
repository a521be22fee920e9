import type { PublishedRow } from "../articles/reading.ts";
import { articlePath } from "../paths.ts";
import { Avatar, counted, Day, Icon, PersonLink, TagList } from "../web/components.tsx";
import type { Marked } from "./highlight.tsx";

interface CardProps {
  row: PublishedRow;
  now: Date;
  /** The title and text with the words of a search marked. */
  marked?: { title: Marked; text: Marked } | undefined;
  level?: "h2" | "h3";
}

export function ArticleCard({ row, now, marked, level: Heading = "h2" }: CardProps) {
  const path = articlePath(row);
  return (
    <article class="article-card">
      <div class="byline">
        <Avatar of={{ kind: "user", ...row.user }} side={32} />
        <span>
          <PersonLink person={row.user} />
          {row.organization && (
            <span class="org">
              {" for "}
              <PersonLink person={row.organization} />
            </span>
          )}
          <br />
          <Day date={row.published_at} now={now} />
        </span>
      </div>
      <Heading dir="auto">
        <a href={path}>{marked?.title ?? row.title}</a>
      </Heading>
      {row.description !== "" && (
        <p class="excerpt" dir="auto">
          {marked?.text ?? row.description}
        </p>
      )}
      <div class="foot">
        <TagList names={row.tag_list} />
        <Counts row={row} path={path} />
      </div>
      {row.main_image !== null && (
        <img class="thumb" src={row.main_image} alt="" width="320" height="200" loading="lazy" />
      )}
    </article>
  );
}

function Counts({ row, path }: { row: PublishedRow; path: string }) {
  return (
    <div class="meta">
      {row.public_reactions_count > 0 && (
        <span class="count plain" title={counted(row.public_reactions_count, "reaction")}>
          <Icon name="heart" />
          <span class="visually-hidden">Reactions: </span>
          {row.public_reactions_count.toLocaleString("en")}
        </span>
      )}
      {row.comments_count > 0 && (
        <a class="count plain" href={`${path}#comments`} title={counted(row.comments_count, "comment")}>
          <Icon name="message-circle" />
          <span class="visually-hidden">Comments: </span>
          {row.comments_count.toLocaleString("en")}
        </a>
      )}
      <span class="plain">{row.reading_time_minutes} min read</span>
    </div>
  );
}

export function ArticleCards({
  rows,
  now,
  level,
}: Pick<CardProps, "now" | "level"> & { rows: readonly PublishedRow[] }) {
  return (
    <ol class="articles">
      {rows.map((row) => (
        <li>
          <ArticleCard row={row} now={now} {...(level && { level })} />
        </li>
      ))}
    </ol>
  );
}
