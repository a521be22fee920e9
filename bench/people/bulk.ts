import type pg from "pg";

const BATCH = 5_000;

/** Inserts rows of one kind in their order, many at a time; columns that they don't name are left to the database. */
export async function insertAll(pool: pg.Pool, table: string, rows: Iterable<object>): Promise<void> {
  let batch: object[] = [];
  let hasId = false;
  for (const row of rows) {
    hasId ||= "id" in row;
    batch.push(row);
    if (batch.length < BATCH) continue;
    await insert(pool, table, batch);
    batch = [];
  }
  await insert(pool, table, batch);
  if (hasId)
    await pool.query(`select setval(pg_get_serial_sequence('${table}', 'id'), max(id)) from ${table}`);
}

async function insert(pool: pg.Pool, table: string, rows: object[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first).join(", ");
  await pool.query(
    `insert into ${table} (${columns}) overriding system value
     select ${columns} from json_populate_recordset(null::${table}, $1::json)`,
    [JSON.stringify(rows)],
  );
}
