import type { Subject } from "../measure/in-turn.ts";
import { daysIn, nameOf, type Narrowing, NARROWINGS, pageSize, QUERIES } from "./queries.ts";
import type { Site } from "./site.ts";
import { tsqueryOf } from "./tsquery.ts";

/** The plain way to search: rank everything that matches, then take the best. */
const STATEMENT = `
  select article_id
  from article_search
  where words @@ $1::tsquery
    and ($2::timestamptz is null or published_at > $2)
    and ($3::text is null or article_id in (
      select article_id from article_tags join tags on tags.id = tag_id where name = $3))
  order by ts_rank_cd(head, $1::tsquery) desc, article_id desc
  limit $4`;

/** The same queries in one statement of SQL each, without HTTP and without the articles themselves. */
export const RANKINGS_OF_ALL: readonly Subject<Site>[] = QUERIES.flatMap((query) =>
  NARROWINGS.map((narrowing) => ({
    name: nameOf(query, narrowing),
    time: (site: Site, count: number) => rankAll(site, query.q(site, count), { narrowing, count }),
  })),
);

async function rankAll(
  site: Site,
  q: string,
  { narrowing, count }: { narrowing: Narrowing; count: number },
): Promise<number> {
  const since = narrowing.days && new Date(Date.now() - daysIn(site, narrowing.days) * 86_400_000);
  const values = [tsqueryOf(q), since ?? null, narrowing.byTag ? site.commonTag : null, pageSize(count)];
  const startedAt = performance.now();
  await site.database.query(STATEMENT, values);
  return performance.now() - startedAt;
}
