import { Type } from "typebox";
import { MAX_QUERY } from "../search/index/query-parts.ts";
import { DAYS, searched } from "../community/articles/subjects.ts";
import { counted, Folded, Pager } from "./kit/components.tsx";
import { Field } from "./kit/forms.tsx";
import { cursor, type Page, type Pages, type Visit } from "./kit.tsx";
import { KINDS, type KindOf, KindTabs, type Query, SORTS } from "./search-kinds.tsx";
import { SEARCHES } from "./search-results.tsx";

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
