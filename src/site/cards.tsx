import type { ComponentChildren } from "preact";
import type { Neighbour } from "../community/articles/around.ts";
import type { PublishedRow } from "../community/articles/reading.ts";
import { articlePath } from "../platform/paths.ts";
import { directionOf } from "../content/text/direction.ts";
import { Avatar, counted, Day, Icon, PersonLink, type ShowText, TagList } from "./kit/components.tsx";

/** Whose page shows a card, which leaves out what the page says already. */
type Publisher = "user" | "organization";

export function teaser({ description, excerpt }: Pick<PublishedRow, "description" | "excerpt">): string {
  return excerpt ?? description;
}

interface CardProps {
  row: PublishedRow;
  now: Date;
  /** The text that a search found, the description or a part of the body, and how its words are marked. */
  found?: { text: ComponentChildren; show: ShowText } | undefined;
  of?: Publisher | undefined;
}

export function ArticleCard({ row, now, found, of }: CardProps) {
  const path = articlePath(row);
  return (
    <article class="article-card" dir={directionOf(row.title)}>
      <CardByline row={row} now={now} of={of} show={found?.show} />
      <h2 dir="auto">
        <a href={path}>{found?.show(row.title) ?? row.title}</a>
      </h2>
      {row.description !== "" && (
        <p class="excerpt" dir="auto">
          {found?.text ?? teaser(row)}
        </p>
      )}
      <div class="foot">
        <TagList names={row.tag_list} show={found?.show} />
        <Counts row={row} path={path} />
      </div>
      {row.main_image !== null && (
        <img class="thumb" src={row.main_image} alt="" width="320" height="200" loading="lazy" />
      )}
    </article>
  );
}

interface BylineProps extends Omit<CardProps, "found"> {
  show: ShowText | undefined;
}

function CardByline({ row, now, of, show }: BylineProps) {
  const { user, organization } = row;
  return (
    <div class="byline">
      {of !== "user" && <Avatar of={{ kind: "user", ...user }} side={24} />}
      <div class="meta">
        {of === undefined && (
          <span class="by">
            <AuthorLinks row={row} show={show} />
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
        {of === "user" && organization && (
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
export function ArticleLinks({ list, of }: { list: readonly Neighbour[]; of?: "user" | undefined }) {
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

export function AuthorLinks({
  row: { user, organization },
  show,
}: {
  row: Pick<PublishedRow, "user" | "organization">;
  show?: ShowText | undefined;
}) {
  return (
    <>
      <PersonLink person={user} show={show} />
      {organization && (
        <span class="org">
          {" for "}
          <PersonLink person={organization} show={show} />
        </span>
      )}
    </>
  );
}
