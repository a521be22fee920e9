import { Type } from "typebox";
import { DAYS, searched } from "../articles/subjects.ts";
import { counted, Folded, Pager } from "../web/components.tsx";
import { Field } from "../web/forms.tsx";
import { cursor, type Page, type Pages, type Visit } from "./kit.tsx";
import { KINDS, type KindOf, KindTabs, type Query } from "./search-kinds.tsx";
import { SEARCHES } from "./search-results.tsx";

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
        <h1 class="page-title">{q === undefined ? "Search" : <>Results for “{q}”</>}</h1>
        <Form query={visit.query} />
        {q !== undefined && <KindTabs q={q} kind={kind} query={visit.query} />}
        {found?.total !== undefined && <p class="muted small results">{numberOf(found.total, kind)}</p>}
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

function Form({ query: { q, tag, time, kind = "articles" } }: { query: Query }) {
  return (
    <form class="search-form" role="search" action="/search">
      <div class="field suggesting">
        <label for="query">Search for</label>
        <input id="query" type="search" name="q" value={q} maxLength={200} autocomplete="off" data-suggest />
      </div>
      <button class="button strong">Search</button>
      {kind === "articles" ? (
        <Folded summary="Filters" isOpen={Boolean(tag) || Boolean(time)}>
          <div class="filters">
            <Field name="tag" label="Tag" value={tag} maxLength={100} />
            <TimeField time={time} />
          </div>
        </Folded>
      ) : (
        Object.entries({ kind, tag, time }).map(
          ([name, value]) => value && <input type="hidden" name={name} value={value} />,
        )
      )}
    </form>
  );
}

function TimeField({ time }: { time: Query["time"] | undefined }) {
  return (
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
  );
}

function Tips() {
  return (
    <>
      <ul class="muted">
        <li>Several words: articles that contain all of them, or most.</li>
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
