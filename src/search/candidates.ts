import { sql } from "kysely";
import type { Db } from "../platform/db/connect.ts";
import { ArticleIndex, type IsWanted } from "./index/article-index.ts";
import type { Clause, WordQuery } from "./index/query.ts";
import { Step } from "./index/memory.ts";
import { columns, type Row, toIndexed } from "./index/rows-in-memory.ts";
import { type Narrowing, Segment } from "./index/segment.ts";
import { type Condition, join, writeExact } from "./index/terms.ts";
import { quoteLexeme } from "./index/tokens.ts";
import type { Ranked } from "./ranking.ts";
import type { PlaceOrder } from "./hits.ts";

export async function anyWith(db: Db, conditions: readonly Condition[]): Promise<boolean[]> {
  if (conditions.length === 0) return [];
  const { rows } = await sql<{ is_known: boolean }>`
    select exists (select from search_candidates(condition::tsquery, '{}', null, null, 1)) as is_known
    from unnest(${conditions.map(writeExact)}::text[]) with ordinality as given (condition, place) order by place`.execute(
    db,
  );
  return rows.map(({ is_known }) => is_known);
}

/** Fewer articles in memory don't fill the first pages: then PostgreSQL finds those that have any word. */
export const FEW = 100;

/** The vectors of so many articles are read and indexed in a tenth of a second. */
const MOST = 300;

export interface InMemory {
  segment: Segment;
  query: WordQuery;
  narrowing: Narrowing;
  ranked: Ranked;
}

/**
 * Articles whose bodies are not in memory and that may have all words, or one that no article in memory has, or any; at
 * most `MOST`. Their vectors are read, to be ranked as those in memory are.
 */
export async function candidates(
  db: Db,
  found: InMemory,
  { order, areBehind }: { order: PlaceOrder | "relevance"; areBehind: boolean },
): Promise<Segment> {
  const { segment, query, ranked } = found;
  const { titleKey, since = null, now } = found.narrowing;
  const { ids, hasBody } = segment.index;
  const known = areBehind
    ? ranked.hits.slice()
    : ranked.hits.havingAll().filter(({ slot }) => hasBody[slot] === 1);
  const besides = known.map(({ slot }) => ids[slot] as number);
  const inOrder = order === "relevance" ? null : order;
  const { rows } = await sql<Row>`
    select ${columns(sql`true`)}
    from (
      select article_id from unnest(${lookedUp(found)}::text[]) as query,
        search_candidates(query::tsquery, ${besides}::int[], ${inOrder}, ${since}, ${MOST}) as article_id
      union select article_id from search_rows where title_key = ${titleKey} and article_id <> all (${besides}::int[])
    ) as matching join search_rows as found using (article_id) join published_articles as listed using (article_id)
    where listed.published_at <= ${now} and (${since}::timestamptz is null or listed.published_at > ${since})`.execute(
    db,
  );
  const others = new Segment(new ArticleIndex());
  const isWanted = wantedTokens(query);
  const step = new Step();
  for (const row of rows) {
    others.index.add(toIndexed(row), isWanted);
    await step.pause();
  }
  return others;
}

const texts = (clauses: readonly Clause[]) => clauses.map(({ condition }) => writeExact(condition));

/** A query for articles with all words, so that none is cut off, and one for those with a word that memory lacks, or any. */
function lookedUp({ query: { clauses }, narrowing, ranked }: InMemory): string[] {
  const telling = clauses.filter(({ isStopWord }) => !isStopWord);
  const absent = clauses.filter((_, at) => ranked.isAbsent[at] === true);
  if (telling.length === 0) return [];
  const required = [
    ...texts(clauses.filter(({ isRequired }) => isRequired)),
    ...narrowing.filterTokens.map((tokens) => join(tokens.map(quoteLexeme), " | ")),
  ];
  const any = ranked.hits.length < FEW ? telling : absent;
  const wanted = [join(texts(telling), " & "), ...(any.length > 0 ? [join(texts(any), " | ")] : [])];
  return wanted.map((some) => join([some, ...required], " & "));
}

/** The tokens of articles that may matter: an inflection begins like its stem. This spares the others their lists. */
function wantedTokens({ clauses, inPlace, exclusions }: WordQuery): IsWanted {
  const forms = [
    ...[...clauses.map(({ condition }) => condition), ...exclusions].flat(3),
    ...inPlace.flatMap(({ place }) => place),
  ];
  const firsts = new Set(forms.map(({ token }) => Buffer.from(token.replace(/^=(?:\w+:)?/, ""))[0]));
  return (bytes, from) => SIGNS.includes(bytes[from] as number) || firsts.has(bytes[from]);
}

/** The first bytes of tokens for filters and stems. */
const SIGNS = Buffer.from("~=");
