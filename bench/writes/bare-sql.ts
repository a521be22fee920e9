import type pg from "pg";

/** The tables in which an article has rows, in the order of their references, and how the rows are found. */
const TABLES: readonly (readonly [table: string, own: string])[] = [
  ["articles", "id = $1"],
  ["events", "payload ->> 'article_id' = $1::text"],
  ["published_articles", "article_id = $1"],
  ["article_tags", "article_id = $1"],
  ["article_search", "article_id = $1"],
  ["article_words", "article_id = $1"],
];

/** The rows of one article as JSON, by table. */
type Rows = Record<string, object[]>;

/** Far above the numbers that the program gives. */
const FIRST_ID = 1_000_000_000;

/**
 * Writes the rows of articles that the program has written once more, under other numbers, and nothing
 * else: each statement is prepared, and the rows are ready. What the database does by itself, it does here too.
 */
export async function createBareWriter(pool: pg.Pool, ids: readonly number[]): Promise<() => Promise<void>> {
  const statements = await prepareAll(pool);
  const models = await Promise.all(ids.map((id) => readRows(pool, id)));
  let count = 0;
  return async () => {
    const rows = models[count % models.length] as Rows;
    const id = FIRST_ID + count;
    count += 1;
    const client = await pool.connect();
    try {
      await client.query("begin");
      for (const { name, text, table } of statements) {
        const copies = (rows[table] ?? []).map((row) => copy(row, id));
        await client.query({ name, text, values: [JSON.stringify(copies)] });
      }
      const tagIds = (rows["article_tags"] as { tag_id: number }[]).map(({ tag_id }) => tag_id);
      // In one order, as the program does it.
      await client.query({ name: "hold", text: HOLD_TAGS, values: [tagIds] });
      await client.query({ name: "tags", text: COUNT_TAGS, values: [tagIds] });
      await client.query({ name: "count", text: COUNT_PUBLISHED });
      await client.query("commit");
    } finally {
      client.release();
    }
  };
}

const HOLD_TAGS = "select from tags where id = any($1::int[]) order by id for no key update";
const COUNT_TAGS = "update tags set articles_count = articles_count + 1 where id = any($1::int[])";
const COUNT_PUBLISHED = "update counters set value = value + 1 where name = 'published_articles'";

/** Fields that must be another's, and an identity that is given anew. */
function copy(row: object, id: number): object {
  const { payload, ...columns } = row as Record<string, unknown>;
  if (payload !== undefined) return { ...columns, payload: { ...payload, article_id: id } };
  if ("slug" in columns) return { ...columns, id, slug: `${String(columns["slug"])}-${id}` };
  return { ...columns, article_id: id };
}

async function prepareAll(pool: pg.Pool): Promise<{ table: string; name: string; text: string }[]> {
  const { rows } = await pool.query<{ table_name: string; columns: string }>(`
    select table_name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
    from information_schema.columns
    where table_schema = 'public' and is_generated = 'NEVER' and not (table_name = 'events' and column_name = 'id')
    group by table_name`);
  const columnsOf = new Map(rows.map(({ table_name, columns }) => [table_name, columns]));
  return TABLES.map(([table]) => {
    const columns = columnsOf.get(table);
    const text = `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`;
    return { table, name: `insert ${table}`, text };
  });
}

async function readRows(pool: pg.Pool, id: number): Promise<Rows> {
  const rows: Rows = {};
  for (const [table, own] of TABLES) {
    const found = await pool.query<{ row: object }>(
      `select to_jsonb(own) as row from ${table} as own where ${own}`,
      [id],
    );
    rows[table] = found.rows.map(({ row }) => row);
  }
  return rows;
}
