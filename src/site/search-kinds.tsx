import { searchPath, withQuery } from "../platform/paths.ts";
import { NoRows, Tabs } from "./kit/components.tsx";
import type { Page } from "./kit.tsx";

export const KINDS = ["articles", "people", "tags", "comments", "listings"] as const;
export type KindOf = (typeof KINDS)[number];

export const SORTS = { newest: "newest", popular: "popularity" } as const;

export interface Query {
  q?: string;
  kind?: KindOf;
  tag?: string;
  time?: "week" | "month" | "year";
  sort?: keyof typeof SORTS;
  cursor?: string;
}

export interface Results {
  body: Page["body"];
  next?: string | undefined;
  /** The number of results; undefined where it isn't known. */
  total?: number | undefined;
}

/** The results of a kind; what narrows and sorts articles stays, for when the reader comes back to them. */
export function resultsPath(q: string, kind: KindOf, { tag, time, sort }: Query): string {
  const kept = { ...(kind !== "articles" && { kind }), tag, time, sort };
  const given = Object.entries(kept).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return withQuery("/search", { q, ...Object.fromEntries(given) });
}

export function KindTabs({ q, kind, query }: { q: string; kind: KindOf; query: Query }) {
  const tabs = KINDS.map((name) => ({
    label: name[0]?.toUpperCase() + name.slice(1),
    href: resultsPath(q, name, query),
    isCurrent: name === kind,
  }));
  return <Tabs label="Kinds of results" tabs={tabs} />;
}

interface NothingProps {
  q: string;
  kind: KindOf;
  query: Query;
  first?: string | undefined;
}

export function Nothing({ q, kind, query, first }: NothingProps) {
  const others = KINDS.filter((name) => name !== kind);
  return (
    <NoRows noun={kind} first={first} title={`No ${kind} found`}>
      <p>Check the spelling, or look for fewer words.</p>
      {kind === "articles" && (query.tag || query.time) && (
        <p>
          <a href={searchPath(q)}>Search with any tag and at any time</a>
        </p>
      )}
      <p>
        Search for “{q}” in{" "}
        {others.map((name, index) => (
          <>
            {index > 0 && ", "}
            <a href={resultsPath(q, name, query)}>{name}</a>
          </>
        ))}
        .
      </p>
    </NoRows>
  );
}
