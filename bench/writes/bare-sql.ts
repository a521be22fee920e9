import type pg from "pg";

/** The tables in which an article has rows, in the order of their references, and how the rows are found. */
const TABLES: readonly (readonly [table: string, own: string])[] = [
  ["articles", "id = $1"],
  ["events", "payload ->> 'article_id' = $1::text"],
  ["outbox", "event_id in (select id from events where payload ->> 'article_id' = $1::text)"],
  ["published_articles", "article_id = $1"],
  ["article_tags", "article_id = $1"],
  ["article_search", "article_id = $1"],
  ["article_words", "article_id = $1"],
];

type Row = Record<string, unknown>;

/** The rows of one article, by table. */
type Rows = Record<string, Row[]>;

export interface BareWriter {
  /** Writes one more article and gives its number. */
  write(): Promise<number>;
}

/** Far above the numbers that the program gives. */
const FIRST_ID = 1_000_000_000;

/**
 * Writes the rows of articles that the program has written once more, under other numbers, and nothing else: each
 * statement is prepared, and the rows are ready. Triggers work as they do for the program.
 */
export async function createBareWriter(pool: pg.Pool, models: readonly Rows[]): Promise<BareWriter> {
  const statements = await prepareAll(pool);
  let count = 0;
  return {
    async write() {
      const rows = models[count % models.length] as Rows;
      const id = FIRST_ID + count;
      count += 1;
      const client = await pool.connect();
      try {
        await client.query("begin");
        for (const { name, text, table } of statements) {
          const copies = (rows[table] ?? []).map((row) => copy(table, row, id));
          await client.query({ name, text, values: [JSON.stringify(copies)] });
        }
        const tagIds = (rows["article_tags"] ?? []).map((row) => row["tag_id"]);
        // In one order, as the program does it.
        await client.query({ name: "hold", text: HOLD_TAGS, values: [tagIds] });
        await client.query({ name: "tags", text: COUNT_TAGS, values: [tagIds] });
        await client.query({ name: "count", text: COUNT_PUBLISHED });
        await client.query("commit");
      } finally {
        client.release();
      }
      return id;
    },
  };
}

const HOLD_TAGS = "select from tags where id = any($1::int[]) order by id for no key update";
const COUNT_TAGS = "update tags set articles_count = articles_count + 1 where id = any($1::int[])";
const COUNT_PUBLISHED = "insert into count_changes (delta) values (1)";

/** No server works on it while it is measured. */
const LATER = "2100-01-01";

function copy(table: string, row: Row, id: number): Row {
  if (table === "articles") return { ...row, id, slug: `${String(row["slug"])}-${id}` };
  if (table === "outbox") return { ...row, event_id: eventId(row["event_id"], id), due_at: LATER };
  if (table !== "events") return { ...row, article_id: id };
  return { ...row, id: eventId(row["id"], id), payload: { ...(row["payload"] as Row), article_id: id } };
}

/** The events of an article have numbers in a row. */
function eventId(given: unknown, articleId: number): number {
  return articleId * 1_000 + (Number(given) % 1_000);
}

async function prepareAll(pool: pg.Pool): Promise<{ table: string; name: string; text: string }[]> {
  const { rows } = await pool.query<{ table_name: string; columns: string }>(`
    select table_name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
    from information_schema.columns where table_schema = 'public' and is_generated = 'NEVER'
    group by table_name`);
  const columnsOf = new Map(rows.map(({ table_name, columns }) => [table_name, columns]));
  return TABLES.map(([table]) => {
    const columns = columnsOf.get(table);
    const text = `insert into ${table} (${columns}) overriding system value
      select ${columns} from jsonb_populate_recordset(null::${table}, $1)`;
    return { table, name: `insert ${table}`, text };
  });
}

/** The rows of an article that was created just now. */
export async function readModel(pool: pg.Pool, id: number): Promise<Rows> {
  const rows: Rows = {};
  for (const [table, own] of TABLES) {
    const found = await pool.query<{ row: Row }>(
      `select to_jsonb(own) as row from ${table} as own where ${own}`,
      [id],
    );
    rows[table] = found.rows.map(({ row }) => row);
  }
  return rows;
}

/** How many rows of each table the transaction has written that created this article. */
export async function countRows(pool: pg.Pool, id: number): Promise<Map<string, number>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  const counts = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::int as count from "${name}", own where "${name}".xmin = own.xid`,
  );
  const { rows } = await pool.query<{ name: string; count: number }>(
    `with own as (select xmin as xid from articles where id = ${id}) ${counts.join(" union all ")}`,
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** @throws Error unless bare SQL writes as many rows of each table as the program */
export function compareRows(program: Map<string, number>, bare: Map<string, number>): void {
  const differences = [...program].filter(([name, count]) => bare.get(name) !== count);
  if (differences.length === 0) return;
  const named = differences.map(([name, count]) => `${count} of ${name}, not ${bare.get(name) ?? 0}`);
  throw new Error(`The program writes other rows than bench/writes/bare-sql.ts: ${named.join("; ")}.`);
}
