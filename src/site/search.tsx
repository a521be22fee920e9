import type { ComponentChildren, VNode } from "preact";
import { Type } from "typebox";
import { idCode } from "../community/comments/id-codes.ts";
import * as comments from "../community/comments/reading.ts";
import * as listings from "../community/listings/listings.ts";
import { findTags } from "../community/suggestions/suggestions.ts";
import * as users from "../community/users/directory.ts";
import { beginningOf } from "../content/text/plain-text.ts";
import { commentPath, listingPath, tagPath } from "../platform/paths.ts";
import { MAX_QUERY } from "../search/index/query-parts.ts";
import { DAYS, searched } from "../community/articles/subjects.ts";
import { parseQuery } from "../search/index/query.ts";
import { Marker } from "../search/marking.ts";
import { markWith, snippetOfHtml } from "./highlight.tsx";
import { Avatar, counted, Day, Folded, Pager, PersonLink, type ShowText } from "./kit/components.tsx";
import { Field } from "./kit/forms.tsx";
import { cursor, type Page, type Pages, type Visit } from "./kit.tsx";
import { ListingMeta } from "./listings.tsx";
import { searchArticles } from "./search-articles.tsx";
import { type KindOf, KINDS, KindTabs, Nothing, type Query, type Results, SORTS } from "./search-kinds.tsx";

const SearchQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: MAX_QUERY, "x-any-text": true })),
  kind: Type.Optional(Type.Enum([...KINDS])),
  tag: Type.Optional(Type.String({ maxLength: 100, "x-any-text": true })),
  time: Type.Optional(Type.Enum(["week", "month", "year"])),
  sort: Type.Optional(Type.Enum(Object.keys(SORTS) as (keyof typeof SORTS)[])),
  cursor,
});

export function searchRoutes(pages: Pages): void {
  pages.get("/search", { querystring: SearchQuery }, searchPage);
}

async function searchPage(visit: Visit<Query>): Promise<Page> {
  const { q, kind = "articles" } = visit.query;
  const subject = q === undefined ? undefined : searched({ q });
  const found = q === undefined ? undefined : await SEARCHES[kind](visit, q);
  return {
    title: subject?.title ?? "Search",
    path: subject?.path ?? "/search",
    isHidden: true,
    hasNoSearch: true,
    ...(subject && { feeds: [subject.feed] }),
    next: found?.next,
    body: (
      <div class="narrow">
        {/* The field says what the results are for. */}
        <h1 class={q === undefined ? "page-title" : "visually-hidden"}>
          {q === undefined ? "Search" : `Results for “${q}”`}
        </h1>
        <Form query={visit.query} />
        {q !== undefined && (
          <div class="kinds">
            <KindTabs q={q} kind={kind} query={visit.query} />
            {found?.total !== undefined && <p class="muted small">{numberOf(found.total, kind)}</p>}
          </div>
        )}
        {found === undefined ? <Tips /> : found.body}
        <Pager next={found?.next} of="Previous, Next" />
      </div>
    ),
  };
}

function numberOf(total: number, kind: KindOf): string {
  if (kind === "people") return total === 1 ? "1 person" : `${total} people`;
  return counted(total, kind.slice(0, -1));
}

function Form({ query: { q, tag, time, sort, kind = "articles" } }: { query: Query }) {
  return (
    <form class="search-form" role="search" action="/search">
      <div class="field suggesting">
        <label class="visually-hidden" for="query">
          Search for
        </label>
        <input
          id="query"
          type="search"
          name="q"
          value={q}
          maxLength={MAX_QUERY}
          autocomplete="off"
          data-suggest
        />
      </div>
      <button class="button strong">Search</button>
      {kind === "articles" ? (
        <Folded summary="Filters" isOpen={Boolean(tag) || Boolean(time) || Boolean(sort)}>
          <div class="filters">
            <Field name="tag" label="Tag" value={tag} maxLength={100} />
            <Select
              name="time"
              label="Published"
              value={time}
              options={["at any time", ...Object.keys(DAYS)]}
            />
            <Select name="sort" label="Sort by" value={sort} options={["relevance", ...Object.keys(SORTS)]} />
          </div>
        </Folded>
      ) : (
        Object.entries({ kind, tag, time, sort }).map(
          ([name, value]) => value && <input type="hidden" name={name} value={value} />,
        )
      )}
    </form>
  );
}

interface SelectProps {
  name: string;
  label: string;
  value: string | undefined;
  /** The default, and behind it the values. */
  options: readonly [usual: string, ...others: string[]];
}

function Select({ name, label, value, options: [usual, ...others] }: SelectProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        <option value="">{usual}</option>
        {others.map((other) => (
          <option value={other} selected={other === value}>
            {name === "time" ? `this ${other}` : other}
          </option>
        ))}
      </select>
    </div>
  );
}

function Tips() {
  return (
    <>
      <ul class="muted">
        <li>Several words: articles that contain all of them, then those with some.</li>
        <li>“Words in quotes”: articles that contain them side by side.</li>
        <li>-word at the end: articles without it.</li>
      </ul>
      <p class="spaced" hidden>
        <label class="shortcut">
          <input type="checkbox" data-shortcut />
          <span>
            The key <kbd>/</kbd> goes to the search field on every page.
          </span>
        </label>
      </p>
    </>
  );
}

const MOST = 20;

type SearchOf = (visit: Visit<Query>, q: string) => Promise<Results>;

const SEARCHES: Record<KindOf, SearchOf> = {
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
