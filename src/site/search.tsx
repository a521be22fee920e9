import { Type } from "typebox";
import { feedPath, searchPath } from "../paths.ts";
import { Pager, Tabs } from "../web/components.tsx";
import { Field } from "../web/forms.tsx";
import type { Page } from "../web/page.tsx";
import { cursor, type Pages, type Visit } from "./kit.tsx";
import { DAYS, KINDS, type KindOf, type Query, SEARCHES } from "./search-results.tsx";

const SearchQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 200, "x-any-text": true })),
  kind: Type.Optional(Type.Enum([...KINDS])),
  tag: Type.Optional(Type.String({ maxLength: 100, "x-any-text": true })),
  time: Type.Optional(Type.Enum(["week", "month", "year"])),
  cursor,
});

export function searchRoutes(pages: Pages): void {
  pages.get("/search", { querystring: SearchQuery }, searchPage);
}

async function searchPage(visit: Visit<Query>): Promise<Page> {
  const { q, kind = "articles" } = visit.query;
  const found = q === undefined ? undefined : await SEARCHES[kind](visit, q);
  return {
    title: q === undefined ? "Search" : `“${q}”`,
    path: q === undefined ? "/search" : searchPath(q),
    isHidden: true,
    q,
    ...(q !== undefined && {
      feeds: [
        {
          title: `Articles found for “${q}”`,
          path: feedPath("search"),
          query: `?${new URLSearchParams({ q })}`,
        },
      ],
    }),
    next: found?.next,
    body: (
      <div class="narrow">
        <h1 class="page-title">{q === undefined ? "Search" : <>Results for “{q}”</>}</h1>
        <Form query={visit.query} />
        {q !== undefined && <KindTabs q={q} kind={kind} />}
        {found === undefined ? <Tips /> : found.body}
        <Pager next={found?.next} of="Previous, Next" />
      </div>
    ),
  };
}

function Form({ query: { q, tag, time, kind } }: { query: Query }) {
  return (
    <form class="search-form" action="/search">
      <div class="field wide-field">
        <label for="query">Words</label>
        <input id="query" type="search" name="q" value={q} maxLength={200} />
      </div>
      {kind === undefined || kind === "articles" ? (
        <>
          <Field name="tag" label="Tag" value={tag} maxLength={100} />
          <div class="field">
            <label for="time">Published</label>
            <select id="time" name="time">
              <option value="">at any time</option>
              {Object.keys(DAYS).map((name) => (
                <option value={name} selected={name === time}>
                  this {name}
                </option>
              ))}
            </select>
          </div>
        </>
      ) : (
        <input type="hidden" name="kind" value={kind} />
      )}
      <button class="button strong">Search</button>
    </form>
  );
}

function KindTabs({ q, kind }: { q: string; kind: KindOf }) {
  const tabs = KINDS.map((name) => ({
    label: name[0]?.toUpperCase() + name.slice(1),
    href: name === "articles" ? searchPath(q) : `${searchPath(q)}&kind=${name}`,
    isCurrent: name === kind,
  }));
  return <Tabs label="Kinds of results" tabs={tabs} />;
}

function Tips() {
  return (
    <>
      <ul class="muted">
        <li>Several words: articles that contain all of them.</li>
        <li>“Words in quotes”: articles that contain them side by side.</li>
        <li>-word: articles without it.</li>
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
