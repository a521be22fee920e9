import type pg from "pg";
import { addUpChanges } from "../../src/community/analytics/roll-up.ts";
import * as keys from "../../src/community/users/keys.ts";
import { RENDERER_VERSION } from "../../src/platform/jobs/rerender.ts";
import { say } from "../kit.ts";
import { serve } from "../measure/program.ts";
import { openForWriting } from "../measure/database.ts";
import { round } from "../report.ts";

export const DAYS = 365;

/** Fewer don't fill a year of one article. */
export const LEAST_VIEWS = 10_000;

const MOST_ARTICLES = 10_000;
const ROWS_AN_ARTICLE = 1_000;

export interface Filled {
  key: string;
  organizationId: number;
  /** The last day of the views. */
  until: string;
}

/** One person has written everything, half of it for one organization, and every day everything is viewed. */
export async function fill(path: string, views: number): Promise<Filled> {
  say(`Writing ${round(views)} rows of views`);
  const { stop } = await serve(path);
  try {
    const { db, pool } = openForWriting(path, 1);
    try {
      const until = new Date().toISOString().slice(0, 10);
      await insertArticles(pool, Math.min(MOST_ARTICLES, Math.ceil(views / ROWS_AN_ARTICLE)));
      await addUpChanges(db);
      await insertViews(pool, views, until);
      await sumUp(pool);
      await pool.query("vacuum (analyze)");
      const { key } = await keys.create(db, { userId: 1, description: "Bench" }, new Date());
      return { key, organizationId: 1, until };
    } finally {
      await db.destroy();
    }
  } finally {
    await stop();
  }
}

async function insertArticles(pool: pg.Pool, count: number): Promise<void> {
  await pool.query("insert into handles values ('busy', 'user'), ('group', 'organization')");
  await pool.query("insert into users (username, name) values ('busy', 'Busy')");
  await pool.query("insert into organizations (username, name) values ('group', 'Group')");
  await pool.query("insert into organization_members values (1, 1, 'admin')");
  await pool.query(
    `insert into articles (author_id, organization_id, slug, title, description, body_markdown, body_html,
       renderer_version, state, published_at)
     select 1, case when n % 2 = 0 then 1 end, 'article-' || n || '-x', 'Article ' || n, '', '', '', $2, 'published',
       now() - n * interval '1 minute'
     from generate_series(1, $1::int) as n`,
    [count, RENDERER_VERSION],
  );
  await pool.query(
    `insert into published_articles
       (article_id, author_id, organization_id, published_at, fresh_from, reactions, score, hotness, version)
     select id, author_id, organization_id, published_at, published_at, 0, 0, 0, version from articles`,
  );
}

/** Article by article and day by day, from as many hosts as it takes; to note each as a change would take hours. */
async function insertViews(pool: pg.Pool, views: number, until: string): Promise<void> {
  await pool.query(
    `insert into page_views (article_id, day, referrer, views)
     select article, $2::date - day, case when host = 0 then '' else 'site-' || (day * 7 + (article + host) % 50) % 1000 || '.example' end,
       1 + (article + day + host) % 9
     from (select count(*)::int as articles from articles) as numbers
     cross join lateral generate_series(1, articles) as article
     cross join lateral (
       select n % ${DAYS} as day, n / ${DAYS} as host
       from generate_series(0, (($1::bigint - article) / articles)::int) as n
     ) as places`,
    [views, until],
  );
}

/** As the program does it change by change (\`inkstone doctor --verify\` finds nothing amiss). */
async function sumUp(pool: pg.Pool): Promise<void> {
  for (const [kind, column] of [
    ["article", "id"],
    ["user", "author_id"],
    ["organization", "organization_id"],
  ]) {
    await pool.query(
      `insert into analytics_days (kind, subject_id, day, referrer, views)
       select '${kind}', ${column}, day, referrer, sum(views)
       from page_views join articles on articles.id = article_id where ${column} is not null
       group by grouping sets ((${column}, day, referrer), (${column}, day), (${column}))`,
    );
  }
}
