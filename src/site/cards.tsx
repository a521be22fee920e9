import type { Neighbour } from "../articles/around.ts";
import type { PublishedRow } from "../articles/reading.ts";
import { articlePath } from "../paths.ts";
import { directionOf } from "../text/direction.ts";
import { Avatar, counted, Day, Icon, PersonLink, TagList } from "../web/components.tsx";
import type { Marked } from "./highlight.tsx";

/** Whose page shows a card, which leaves out what the page says already. */
export type Publisher = "person" | "organization";

/** The description; for pages longer, where the body made it. */
export function teaser({ description, excerpt }: Pick<PublishedRow, "description" | "excerpt">): string {
  return excerpt ?? description;
}

interface CardProps {
  row: PublishedRow;
  now: Date;
  /** The title and text with the words of a search marked. */
  marked?: { title: Marked; text: Marked } | undefined;
  of?: Publisher | undefined;
}

export function ArticleCard({ row, now, marked, of }: CardProps) {
  const path = articlePath(row);
  return (
    <article class="article-card" dir={directionOf(row.title)}>
      <CardByline row={row} now={now} of={of} />
      <h2 dir="auto">
        <a href={path}>{marked?.title ?? row.title}</a>
      </h2>
      {row.description !== "" && (
        <p class="excerpt" dir="auto">
          {marked?.text ?? teaser(row)}
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

function CardByline({ row, now, of }: Omit<CardProps, "marked">) {
  const { user, organization } = row;
  return (
    <div class="byline">
      {of !== "person" && <Avatar of={{ kind: "user", ...user }} side={24} />}
      <div class="meta">
        {of === undefined && (
          <span class="by">
            <AuthorLinks row={row} />
          </span>
        )}
        {of === "organization" && (
          <span class="by">
            <PersonLink person={user} />
          </span>
        )}
        <Day date={row.published_at} now={now} />
        <span>
          {row.reading_time_minutes} min<span class="roomy"> read</span>
        </span>
        {of === "person" && organization && (
          <span class="by">
            for <PersonLink person={organization} />
          </span>
        )}
      </div>
    </div>
  );
}

function Counts({ row, path }: { row: PublishedRow; path: string }) {
  if (row.public_reactions_count === 0 && row.comments_count === 0) return null;
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
    </div>
  );
}

interface CardsProps {
  rows: readonly PublishedRow[];
  now: Date;
  of?: Publisher | undefined;
}

export function ArticleCards({ rows, now, of }: CardsProps) {
  return (
    <ol class="articles">
      {rows.map((row) => (
        <li>
          <ArticleCard row={row} now={now} of={of} />
        </li>
      ))}
    </ol>
  );
}

/** Titles with date and length, and the author where that isn't said already. */
export function ArticleLinks({ list, of }: { list: readonly Neighbour[]; of?: "person" | undefined }) {
  return (
    <ul class="plain-list">
      {list.map((each) => (
        <li dir={directionOf(each.title)}>
          <a href={articlePath(each)} dir="auto">
            {each.title}
          </a>
          <div class="meta">
            {of === undefined && <span dir="auto">{each.user.name}</span>}
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
