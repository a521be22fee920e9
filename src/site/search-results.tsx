import { find } from "../articles/lists/page.ts";
import { beginnings, type PublishedRow, rows } from "../articles/reading.ts";
import { idCode } from "../comments/id-codes.ts";
import * as comments from "../comments/reading.ts";
import * as listings from "../listings/listings.ts";
import { commentPath, listingPath, searchPath, tagPath } from "../paths.ts";
import * as tags from "../tags/tags.ts";
import { plainText } from "../text/plain-text.ts";
import { beginningOf } from "../text/running-text.ts";
import * as users from "../users/directory.ts";
import { Avatar, counted, Day, NoRows, PersonLink } from "../web/components.tsx";
import type { Page } from "../web/page.tsx";
import { ArticleCard, teaser } from "./cards.tsx";
import { beginningsOf, mark, snippet, snippetOfHtml, wordsOf } from "./highlight.tsx";
import { firstPage, linkTo, type Visit } from "./kit.tsx";

export const KINDS = ["articles", "people", "tags", "comments", "listings"] as const;
export type KindOf = (typeof KINDS)[number];

export interface Query {
  q?: string;
  kind?: KindOf;
  tag?: string;
  time?: "week" | "month" | "year";
  cursor?: string;
}

export const DAYS = { week: 7, month: 30, year: 365 };
const PER_PAGE = 20;

interface Found {
  body: Page["body"];
  next?: string | undefined;
}

export const SEARCHES: Record<KindOf, (visit: Visit<Query>, q: string) => Promise<Found>> = {
  articles: searchArticles,
  people: searchPeople,
  tags: searchTags,
  comments: searchComments,
  listings: searchListings,
};

async function searchArticles(visit: Visit<Query>, q: string): Promise<Found> {
  const { source, site, request, query } = visit;
  const { tag, time, cursor } = query;
  const found = await find(
    source,
    { q, tag, top: undefined, within: time && DAYS[time] },
    { limit: PER_PAGE, offset: 0, cursor },
  );
  const list = await rows(source.db, found.rows);
  if (list.length === 0) {
    const isFiltered = Boolean(tag) || Boolean(time);
    return nothing(q, "articles", { first: firstPage(request), isFiltered });
  }
  const wanted = wordsOf(found.corrected ?? q);
  const texts = await textsOf(visit, list, wanted);
  return {
    next: linkTo(request, found.next),
    body: (
      <>
        {found.isSimilar && (
          <p class="notice">
            Nothing matches “{q}” as typed. Showing results for{" "}
            <a href={searchPath(found.corrected ?? q)}>{found.corrected ?? "similar words"}</a>.
          </p>
        )}
        <ol class="articles">
          {list.map((row) => (
            <li>
              <ArticleCard
                row={row}
                now={site.now}
                marked={{ title: mark(row.title, wanted), text: texts.get(row.id) ?? teaser(row) }}
              />
            </li>
          ))}
        </ol>
      </>
    ),
  };
}

/** The description with marked words, or the place of the body where one of them stands. */
async function textsOf({ source }: Visit, list: readonly PublishedRow[], wanted: readonly string[]) {
  const texts = new Map(list.map((row) => [row.id, snippet(teaser(row), wanted)]));
  const missing = list.filter(({ id }) => texts.get(id) === undefined).map(({ id }) => id);
  const pattern = beginningsOf(wanted);
  for (const { id, html } of await beginnings(source.db, missing)) {
    texts.set(id, snippetOfHtml(html, wanted, pattern));
  }
  return texts;
}

function nothing(
  q: string,
  kind: KindOf,
  { first, isFiltered = false }: { first?: string | undefined; isFiltered?: boolean } = {},
): Found {
  const others = KINDS.filter((name) => name !== kind);
  return {
    body: (
      <NoRows noun={kind} first={first} title={`No ${kind} found`}>
        <p>Check the spelling, or look for fewer words.</p>
        {isFiltered && (
          <p>
            <a href={searchPath(q)}>Search with any tag and at any time</a>
          </p>
        )}
        <p>
          Search for “{q}” in{" "}
          {others.map((name, index) => (
            <>
              {index > 0 && ", "}
              <a href={`${searchPath(q)}&kind=${name}`}>{name}</a>
            </>
          ))}
          .
        </p>
      </NoRows>
    ),
  };
}

async function searchPeople({ source }: Visit, q: string): Promise<Found> {
  const list = await users.search(source.slow, q, PER_PAGE);
  if (list.length === 0) return nothing(q, "people");
  const wanted = wordsOf(q);
  return {
    body: (
      <ul class="articles">
        {list.map((person) => (
          <li class="person-row">
            <Avatar of={{ ...person }} side={48} />
            <div>
              <strong>
                <PersonLink person={person} />
              </strong>{" "}
              <span class="muted">@{person.username}</span>
              {person.summary && <p dir="auto">{mark(person.summary, wanted)}</p>}
            </div>
          </li>
        ))}
      </ul>
    ),
  };
}

async function searchTags({ source }: Visit, q: string): Promise<Found> {
  const list = await tags.search(source.db, q, PER_PAGE);
  if (list.length === 0) return nothing(q, "tags");
  return {
    body: (
      <ul class="cards">
        {list.map((tag) => (
          <li>
            <h2 dir="auto">
              <a href={tagPath(tag.name)}>#{tag.name}</a>
            </h2>
            <p class="muted small">{counted(tag.articles_count, "article")}</p>
          </li>
        ))}
      </ul>
    ),
  };
}

async function searchComments({ source, site }: Visit, q: string): Promise<Found> {
  const list = await comments.search(source.slow, q, PER_PAGE);
  if (list.length === 0) return nothing(q, "comments");
  const wanted = wordsOf(q);
  return {
    body: (
      <ul class="articles">
        {list.map((each) => {
          const text = plainText(each.body_html);
          return (
            <li>
              <p class="meta">
                <span>
                  <PersonLink person={each} /> on <a href={each.path}>{each.title}</a>
                </span>
                <a href={commentPath(idCode(each.id))}>
                  <Day date={each.created_at} now={site.now} />
                </a>
              </p>
              <p dir="auto">{snippet(text, wanted) ?? beginningOf(each.body_html)}</p>
            </li>
          );
        })}
      </ul>
    ),
  };
}

async function searchListings({ source, site }: Visit, q: string): Promise<Found> {
  const list = await listings.search(source.slow, { q, now: site.now, limit: PER_PAGE });
  if (list.length === 0) return nothing(q, "listings");
  const wanted = wordsOf(q);
  return {
    body: (
      <ul class="articles">
        {list.map((each) => (
          <li>
            <h2 dir="auto">
              <a href={listingPath(`${each.category}/${each.slug}`)}>{mark(each.title, wanted)}</a>
            </h2>
            <p dir="auto">{snippet(plainText(each.body_html), wanted) ?? beginningOf(each.body_html)}</p>
            <p class="meta">
              <PersonLink person={each.organization ?? each.user} />
              <Day date={each.bumped_at} now={site.now} />
              {each.location && <span>{each.location}</span>}
            </p>
          </li>
        ))}
      </ul>
    ),
  };
}
