import type { ComponentChildren, VNode } from "preact";
import { idCode } from "../community/comments/id-codes.ts";
import * as comments from "../community/comments/reading.ts";
import * as listings from "../community/listings/listings.ts";
import { commentPath, listingPath, tagPath } from "../platform/paths.ts";
import { Marker } from "../search/marking.ts";
import { findTags } from "../community/suggestions/tags.ts";
import { parseQuery } from "../search/index/query.ts";
import { beginningOf } from "../content/text/plain-text.ts";
import * as users from "../community/users/directory.ts";
import { Avatar, counted, Day, PersonLink, type ShowText } from "./kit/components.tsx";
import { markWith, snippetOfHtml } from "./highlight.tsx";
import type { Visit } from "./kit.tsx";
import { ListingMeta } from "./listings.tsx";
import { searchArticles } from "./search-articles.tsx";
import { type KindOf, Nothing, type Query, type Results } from "./search-kinds.tsx";

const MOST = 20;

type SearchOf = (visit: Visit<Query>, q: string) => Promise<Results>;

export const SEARCHES: Record<KindOf, SearchOf> = {
  articles: searchArticles,
  people: searchOf({
    kind: "people",
    find: ({ source }, q) => users.search(source.slow, q, MOST),
    Row: ({ row, show }) => (
      <li class="person-row">
        <Avatar of={{ ...row }} side={48} />
        <div>
          <strong>
            <PersonLink person={row} show={show} />
          </strong>{" "}
          <span class="muted">@{show(row.username)}</span>
          {row.summary && <p dir="auto">{show(row.summary)}</p>}
        </div>
      </li>
    ),
  }),
  tags: searchOf({
    kind: "tags",
    find: ({ source }, q) => findTags(source, q, MOST),
    list: "cards",
    Row: ({ row, show }) => (
      <li>
        <h2 dir="auto">
          <a href={tagPath(row.name)}>#{show(row.name)}</a>
        </h2>
        <p class="muted small">{counted(row.articles_count, "article")}</p>
      </li>
    ),
  }),
  comments: searchOf({
    kind: "comments",
    find: ({ source }, q) => comments.search(source.slow, q, MOST),
    Row: ({ row, matching, now }) => (
      <li>
        <p class="meta">
          <span>
            <PersonLink person={row} /> on <a href={row.path}>{row.title}</a>
          </span>
          <a href={commentPath(idCode(row.id))}>
            <Day date={row.created_at} now={now} />
          </a>
        </p>
        <p dir="auto">{matching(row.body_html)}</p>
      </li>
    ),
  }),
  listings: searchOf({
    kind: "listings",
    find: ({ source, site }, q) => listings.search(source.slow, { q, now: site.now, limit: MOST }),
    Row: ({ row, show, matching, now }) => (
      <li>
        <h2 dir="auto">
          <a href={listingPath(`${row.category}/${row.slug}`)}>{show(row.title)}</a>
        </h2>
        <p dir="auto">{matching(row.body_html)}</p>
        <ListingMeta row={row} now={now} />
      </li>
    ),
  }),
};

interface RowProps<Row> {
  row: Row;
  show: ShowText;
  /** The part of HTML that matches, or its beginning. */
  matching: (html: string) => ComponentChildren;
  now: Date;
}

interface Search<Row> {
  kind: KindOf;
  find: (visit: Visit, q: string) => Promise<readonly Row[]>;
  list?: "articles" | "cards";
  Row: (props: RowProps<Row>) => VNode;
}

function searchOf<Row>({ kind, find, list = "articles", Row }: Search<Row>): SearchOf {
  return async (visit, q) => {
    const { query, site } = visit;
    const rows = await find(visit, q);
    if (rows.length === 0) return { body: <Nothing q={q} kind={kind} query={query} /> };
    const { search_language: language } = site.settings;
    const parsed = parseQuery(q, { language });
    const marker = parsed === null ? undefined : new Marker(parsed, language);
    const shown = {
      show: markWith(marker),
      matching: (html: string) => (marker && snippetOfHtml(html, marker)?.shown) ?? beginningOf(html),
      now: site.now,
    };
    return {
      // A list of the most may be cut.
      total: rows.length < MOST ? rows.length : undefined,
      body: (
        <ul class={list}>
          {rows.map((row) => (
            <Row row={row} {...shown} />
          ))}
        </ul>
      ),
    };
  };
}
