import { createHash } from "node:crypto";
import { CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";
import type { DB as Tables } from "./tables.ts";

type Db = Kysely<Tables>;

const NAMES = new Map<string, string>();

export function nameOf(text: string): string | undefined {
  return NAMES.get(text);
}

class Placeholder<Key> {
  readonly key: Key;

  constructor(key: Key) {
    this.key = key;
  }
}

type Build<Values, Row> = (
  value: (key: keyof Values & string) => RawBuilder<unknown>,
  db: Db,
) => RawBuilder<Row>;

/**
 * A statement for a hot read: compiled once, then parsed and planned once by each connection. `build` puts
 * `value("key")` where a value goes; a value whose type PostgreSQL can't infer needs one (`::int`). Other values are
 * constants.
 */
export function prepare<Values extends object, Row>(build: Build<Values, Row>) {
  let compiled: Compiled | undefined;
  return async (db: Db, values: Values): Promise<Row[]> => {
    compiled ??= compile(db, build);
    const given = compiled.parameters.map((each) =>
      each instanceof Placeholder ? values[each.key as keyof Values] : each,
    );
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(compiled.text, given));
    return rows;
  };
}

interface Compiled {
  text: string;
  parameters: readonly unknown[];
}

function compile<Values, Row>(db: Db, build: Build<Values, Row>): Compiled {
  const { sql: text, parameters } = build((key) => sql`${new Placeholder(key)}`, db).compile(db);
  // A hash of the text, because clients of a pooler share server connections.
  NAMES.set(text, `ink_${createHash("sha1").update(text).digest("hex").slice(0, 20)}`);
  return { text, parameters };
}
