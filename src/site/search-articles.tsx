import type { ComponentChildren } from "preact";
import { type PublishedRow, rowsWithBeginnings } from "../community/articles/reading.ts";
import { DAYS, searched } from "../community/articles/subjects.ts";
import { tagPath } from "../platform/paths.ts";
import type { SearchPage } from "../search/find.ts";
import type { Marker } from "../search/marking.ts";
import * as tags from "../community/tags/tags.ts";
import * as users from "../community/users/directory.ts";
import { Avatar, counted, PersonLink, type ShowText } from "./kit/components.tsx";
import { ArticleCard, teaser } from "./cards.tsx";
import { markWith, snippetOfHtml, wholeText } from "./highlight.tsx";
import { cursorPage, type Visit } from "./kit.tsx";
import { Nothing, type Query, type Results, resultsPath, SORTS } from "./search-kinds.tsx";

const PER_PAGE = 20;

export async function searchArticles(visit: Visit<Query>, q: string): Promise<Results> {
  const { source, site, query } = visit;
  const { tag, time, sort, cursor } = query;
  const { list } = searched({ q, tag, within: time && DAYS[time], order: sort && SORTS[sort] });
  const { part: found, place } = await cursorPage(visit, PER_PAGE, list);
  const [articles, best] = await Promise.all([
    rowsWithBeginnings(source.db, found.rows),
    cursor === undefined ? bestMatches(source.db, q) : NO_MATCHES,
  ]);
  const marker = found.createMarker?.();
  const show = markWith(marker);
  const owners = <BestMatches best={best} show={show} />;
  if (articles.length === 0) {
    return { body: [owners, <Nothing q={q} kind="articles" query={query} first={place.first} />] };
  }
  return {
    next: place.next,
    total: found.total,
    body: (
      <>
        {owners}
        <Notice q={q} query={query} found={found} />
        <Found articles={articles} found={found}>
          {(row) => (
            <ArticleCard
              row={row}
              now={site.now}
              found={{ show, text: marker ? textOf(row, marker) : teaser(row) }}
            />
          )}
        </Found>
      </>
    ),
  };
}

type FoundRow = PublishedRow & { beginning: string };

interface FoundProps<Row> {
  articles: readonly Row[];
  found: Pick<SearchPage, "rows" | "match" | "withAll">;
  children: (row: Row) => ComponentChildren;
}

/** Says where the articles begin that have not all words, unless all are such. */
export function Found<Row extends { id: number }>({
  articles,
  found: { rows: refs, match, withAll },
  children,
}: FoundProps<Row>) {
  const complete = new Set(refs.slice(0, withAll).map(({ article_id }) => article_id));
  const [all, some] = [true, false].map((isComplete) =>
    articles.filter(({ id }) => complete.has(id) === isComplete),
  ) as [Row[], Row[]];
  const list = (part: readonly Row[]) =>
    part.length > 0 && (
      <ol class="articles">
        {part.map((row) => (
          <li>{children(row)}</li>
        ))}
      </ol>
    );
  return (
    <>
      {list(all)}
      {some.length > 0 && match !== "partial" && <p class="notice">These have some of your words.</p>}
      {list(some)}
    </>
  );
}

function Notice({
  q,
  query,
  found: { match, absent = [], corrected },
}: {
  q: string;
  query: Query;
  found: SearchPage;
}) {
  const asTyped = resultsPath(inQuotes(q), "articles", query);
  if (match === "similar") {
    return (
      <p class="notice">
        Nothing matches “{q}” as typed. Showing results for{" "}
        <a href={resultsPath(corrected ?? q, "articles", query)}>{corrected ?? "similar words"}</a>.{" "}
        <a href={asTyped}>Search for “{q}” as typed</a>
      </p>
    );
  }
  if (match !== "partial") return null;
  return (
    <p class="notice">
      No article has all of your words. These have some of them.
      {absent.length > 0 && ` No article has ${absent.map((word) => `“${word}”`).join(", ")}.`}{" "}
      <a href={asTyped}>Search for all of them</a>
    </p>
  );
}

/** Quotes each word, which is then required as it is. */
function inQuotes(q: string): string {
  const parts = q.match(/-?"[^"]*"?|[^\s"]+/g) ?? [];
  return parts.map((part) => (/^-|"/.test(part) ? part : `"${part}"`)).join(" ");
}

/** The part of an article whose words weigh most: the description, unless the body has a better one. */
function textOf(row: FoundRow, marker: Marker): ComponentChildren {
  const description = wholeText(teaser(row), marker);
  if (description.weight >= marker.weight) return description.shown;
  const part = snippetOfHtml(row.beginning, marker);
  return part !== undefined && part.weight > description.weight ? part.shown : description.shown;
}

interface Best {
  profiles: users.FoundProfile[];
  tag: Awaited<ReturnType<typeof tags.named>>[number] | undefined;
}

const NO_MATCHES: Best = { profiles: [], tag: undefined };
/** Too many names begin with fewer letters. */
const LEAST_LETTERS = 3;

/** The person, the organization and the tag whose names are what was typed, or begin so. */
async function bestMatches(db: Visit["source"]["db"], q: string): Promise<Best> {
  const name = q.trim().replace(/^[@#]/, "");
  if (name === "") return NO_MATCHES;
  const [found, [tag]] = await Promise.all([users.named(db, name, 1), tags.named(db, name, 1)]);
  const isMeant = (names: readonly string[]) =>
    Array.from(name).length >= LEAST_LETTERS ||
    names.some((each) => each.toLowerCase() === name.toLowerCase());
  const profiles = (["user", "organization"] as const).flatMap(
    (kind) => found.find((each) => each.kind === kind && isMeant([each.name, each.username])) ?? [],
  );
  return { profiles, tag: tag && isMeant([tag.name]) ? tag : undefined };
}

function BestMatches({ best: { profiles, tag }, show }: { best: Best; show: ShowText }) {
  if (profiles.length === 0 && tag === undefined) return null;
  return (
    <ul class="best-matches" aria-label="People, organizations and tags">
      {profiles.map((profile) => (
        <li class="person-row">
          <Avatar of={{ ...profile }} side={32} />
          <span>
            <PersonLink person={profile} show={show} /> <span class="muted">@{show(profile.username)}</span>
          </span>
        </li>
      ))}
      {tag && (
        <li>
          <a href={tagPath(tag.name)} dir="auto">
            #{show(tag.name)}
          </a>{" "}
          <span class="muted">{counted(tag.articles_count, "article")}</span>
        </li>
      )}
    </ul>
  );
}
