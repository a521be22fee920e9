import type { ComponentChildren } from "preact";
import { beginnings, type PublishedRow, rows } from "../articles/reading.ts";
import { DAYS, searched } from "../articles/subjects.ts";
import { tagPath } from "../paths.ts";
import type { SearchPage } from "../search/find.ts";
import type { Marker } from "../search/marking.ts";
import * as tags from "../tags/tags.ts";
import * as users from "../users/directory.ts";
import { Avatar, counted, PersonLink, type ShowText } from "../web/components.tsx";
import { ArticleCard, teaser } from "./cards.tsx";
import { markWith, snippetOfHtml, wholeText } from "./highlight.tsx";
import { cursorPage, type Visit } from "./kit.tsx";
import { Nothing, type Query, type Results, resultsPath } from "./search-kinds.tsx";

const PER_PAGE = 20;

export async function searchArticles(visit: Visit<Query>, q: string): Promise<Results> {
  const { source, site, query } = visit;
  const { tag, time, cursor } = query;
  const { list } = searched({ q, tag, within: time && DAYS[time] });
  const [{ part: found, place }, best] = await Promise.all([
    cursorPage(visit, PER_PAGE, list),
    cursor === undefined ? bestMatches(visit, q) : NO_MATCHES,
  ]);
  const articles = await rows(source.db, found.rows);
  const marker = found.createMarker?.();
  const show = markWith(marker);
  const owners = <BestMatches best={best} show={show} />;
  if (articles.length === 0) {
    return { body: [owners, <Nothing q={q} kind="articles" query={query} first={place.first} />] };
  }
  const texts = marker && (await textsOf(visit, articles, marker));
  return {
    next: place.next,
    total: found.total,
    body: (
      <>
        {owners}
        <Notice q={q} query={query} found={found} />
        <ol class="articles">
          {articles.map((row) => (
            <li>
              <ArticleCard
                row={row}
                now={site.now}
                found={{ show, text: texts?.get(row.id) ?? teaser(row) }}
              />
            </li>
          ))}
        </ol>
      </>
    ),
  };
}

/** Names the words that no article has. */
function Notice({
  q,
  query,
  found: { match, absent = [], corrected },
}: {
  q: string;
  query: Query;
  found: SearchPage;
}) {
  if (match === "exact") return null;
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
  return (
    <p class="notice">
      No article has all of these words; these have most.
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

/** The part of each article whose words weigh most: the description, unless the body has a better one. */
async function textsOf({ source }: Visit, list: readonly PublishedRow[], marker: Marker) {
  const best = new Map(list.map((row) => [row.id, wholeText(teaser(row), marker)]));
  const isWhole = (id: number) => (best.get(id)?.weight ?? 0) >= marker.weight;
  const others = list.filter(({ id }) => !isWhole(id)).map(({ id }) => id);
  for (const { id, html } of await beginnings(source.db, others)) {
    const found = snippetOfHtml(html, marker);
    if (found !== undefined && found.weight > (best.get(id)?.weight ?? 0)) best.set(id, found);
  }
  return new Map<number, ComponentChildren>(list.map(({ id }) => [id, best.get(id)?.shown]));
}

interface Best {
  profiles: users.FoundProfile[];
  tag: Awaited<ReturnType<typeof tags.named>>[number] | undefined;
}

const NO_MATCHES: Best = { profiles: [], tag: undefined };
/** Too many names begin with fewer letters. */
const LEAST_LETTERS = 3;

/** The person, the organization and the tag whose names are what was typed, or begin so. */
async function bestMatches({ source: { db } }: Visit, q: string): Promise<Best> {
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
