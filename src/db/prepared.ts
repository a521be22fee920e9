import { createHash } from "node:crypto";
import { CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Db } from "./connect.ts";

/** The names under which connections prepare statements, by their text. */
const NAMES = new Map<string, string>();

/** The name of a text that is worth preparing; undefined for all others. */
export function nameOf(text: string): string | undefined {
  return NAMES.get(text);
}

/** Stands for a value until the statement runs. */
class Placeholder {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }
}

type Build<Values, Row> = (value: (key: keyof Values & string) => RawBuilder<unknown>) => RawBuilder<Row>;

/**
 * A statement for a hot read: it is compiled once, and each connection parses and plans it once. `build` writes
 * it with `value("key")` where a value goes; give each value a type (`::int`) that PostgreSQL can't infer.
 */
export function prepare<Values extends object, Row>(build: Build<Values, Row>) {
  let compiled: { text: string; keys: (keyof Values)[] } | undefined;
  return async (db: Db, values: Values): Promise<Row[]> => {
    compiled ??= compile(db, build);
    const given = compiled.keys.map((key) => values[key]);
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(compiled.text, given));
    return rows;
  };
}

function compile<Values, Row>(db: Db, build: Build<Values, Row>): { text: string; keys: (keyof Values)[] } {
  const compiled = build((key) => sql`${new Placeholder(key)}`).compile(db);
  const keys = compiled.parameters.map((parameter) => {
    if (parameter instanceof Placeholder) return parameter.key as keyof Values;
    throw new Error("A prepared statement takes its values by value(key) only");
  });
  // A hash of the text: connections that share a server connection prepare the same text under the same name.
  NAMES.set(compiled.sql, `ink_${createHash("sha1").update(compiled.sql).digest("hex").slice(0, 20)}`);
  return { text: compiled.sql, keys };
}
