import type { Neighbour } from "../articles/around.ts";
import type { PublishedRow } from "../articles/reading.ts";
import { articlePath } from "../paths.ts";
import { Avatar, counted, Day, Icon, PersonLink, TagList } from "../web/components.tsx";
import type { Marked } from "./highlight.tsx";

interface CardProps {
  row: PublishedRow;
  now: Date;
  /** The title and text with the words of a search marked. */
  marked?: { title: Marked; text: Marked } | undefined;
}

export function ArticleCard({ row, now, marked }: CardProps) {
  const path = articlePath(row);
  return (
    <article class="article-card">
      <div class="byline">
        <Avatar of={{ kind: "user", ...row.user }} side={32} />
        <span>
          <AuthorLinks row={row} />
          <br />
          <Day date={row.published_at} now={now} />
        </span>
      </div>
      <h2 dir="auto">
        <a href={path}>{marked?.title ?? row.title}</a>
      </h2>
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

export function ArticleCards({ rows, now }: { rows: readonly PublishedRow[]; now: Date }) {
  return (
    <ol class="articles">
      {rows.map((row) => (
        <li>
          <ArticleCard row={row} now={now} />
        </li>
      ))}
    </ol>
  );
}

/** Titles with author, date and length. */
export function ArticleLinks({ list }: { list: readonly Neighbour[] }) {
  return (
    <ul class="plain-list">
      {list.map((each) => (
        <li>
          <a href={articlePath(each)} dir="auto">
            {each.title}
          </a>
          <div class="meta">
            <span>{each.user.name}</span>
            <Day date={each.published_at} />
            <span>{each.reading_time_minutes} min read</span>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** The author, and the organization that the article is published for. */
export function AuthorLinks({
  row: { user, organization },
}: {
  row: Pick<PublishedRow, "user" | "organization">;
}) {
  return (
    <>
      <PersonLink person={user} />
      {organization && (
        <span class="org">
          {" for "}
          <PersonLink person={organization} />
        </span>
      )}
    </>
  );
}
