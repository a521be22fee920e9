import { createHash } from "node:crypto";
import { type Compilable, CompiledQuery, type Kysely, type QueryResult, type RawBuilder, sql } from "kysely";
import pg from "pg";
import { failureCode, isLostStatement, isOldStatement, READ_ONLY } from "./failures.ts";
import { breakConnection, gather } from "./pipeline.ts";
import type { DB } from "./tables.ts";

/** The names of the statements that connections prepare, by their text. One whose result has changed has none. */
const NAMES = new Map<string, string | undefined>();

type Build<Values, Row> = (
  value: (key: keyof Values & string) => RawBuilder<unknown>,
  db: Kysely<DB>,
) => RawBuilder<Row>;

/**
 * A hot statement: compiled once, then parsed and planned once by each connection. `build` puts `value("key")` where a
 * value goes; a value whose type PostgreSQL can't infer needs one (`::int`). Other values are constants.
 *
 * Arrays of one element have a statement of their own: PostgreSQL plans a statement with an array of unknown length
 * each time, because it expects ten elements.
 */
export function prepare<Values extends object, Row>(build: Build<Values, Row>) {
  const compiled = new Map<string, ReturnType<typeof compile>>();
  return async (db: Kysely<DB>, values: Values): Promise<Row[]> => {
    const single = Object.keys(values).filter((key) => isSingle(values[key as keyof Values]));
    const variant = single.join();
    let statement = compiled.get(variant);
    if (statement === undefined) compiled.set(variant, (statement = compile(db, build, single)));
    const { text, parameters } = statement;
    const given = parameters.map((each) => {
      if (typeof each !== "symbol") return each;
      const value: unknown = values[each.description as keyof Values];
      return isSingle(value) ? value[0] : value;
    });
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, given));
    return rows;
  };
}

const isSingle = (value: unknown): value is [unknown] => Array.isArray(value) && value.length === 1;

/** Runs a query that has few different texts; each connection parses and plans them once. */
export async function runNamed<Row>(db: Kysely<DB>, query: Compilable<Row>): Promise<QueryResult<Row>> {
  const compiled = query.compile();
  name(compiled.sql);
  return db.executeQuery(compiled);
}

function compile<Values, Row>(db: Kysely<DB>, build: Build<Values, Row>, single: readonly string[]) {
  // A symbol stands for the value of its key.
  const value = (key: string) => (single.includes(key) ? sql`array[${Symbol(key)}]` : sql`${Symbol(key)}`);
  const { sql: text, parameters } = build(value, db).compile(db);
  name(text);
  return { text, parameters };
}

/** A hash of the text, because clients of a pooler share server connections. */
function name(text: string): void {
  if (!NAMES.has(text)) NAMES.set(text, `ink_${createHash("sha1").update(text).digest("hex").slice(0, 20)}`);
}

/** Whether connections prepare statements. The pools of one database share it. */
export interface Preparing {
  isOn: boolean;
  /** Called once, when connections do not keep prepared statements. */
  onOff?: () => void;
}

export interface ClientOptions {
  /** A connection without an answer for this long is broken; undefined waits forever. */
  patienceMs: number | undefined;
  preparing: Preparing;
  /** Called when the database refuses to write, as a standby does. */
  onReadOnly?: () => void;
  /** Called when the database says that it ends a connection, whose socket is still open then. */
  onEnded?: (client: pg.ClientBase) => void;
}

interface Statement {
  name: string;
  text: string;
  values?: unknown[];
}

/** Prepares named statements while connections keep them. A late answer breaks its connection. */
export function clientWith({ patienceMs, preparing, onReadOnly, onEnded }: ClientOptions): typeof pg.Client {
  return class extends pg.Client {
    // The signature has many overloads; all but two pass unchanged.
    override query(...given: unknown[]): never {
      gather(this);
      const statement = named(given);
      const answer =
        statement === undefined
          ? (Reflect.apply(super.query, this, given) as unknown)
          : this.#prepared(statement);
      if (answer instanceof Promise) void this.#watch(answer);
      return answer as never;
    }

    async #prepared(statement: Statement): Promise<unknown> {
      const { text, values } = statement;
      if (!preparing.isOn) return super.query(text, values);
      try {
        return await super.query({ ...statement, values: values ?? [] });
      } catch (error) {
        if (isOldStatement(error)) NAMES.set(text, undefined);
        else if (!isLostStatement(error)) throw error;
        else {
          if (preparing.isOn) preparing.onOff?.();
          preparing.isOn = false;
        }
        return super.query(text, values).catch((again: unknown) => {
          // The transaction has failed, and can be repeated as a whole.
          throw failureCode(again) === "25P02" ? error : again;
        });
      }
    }

    async #watch(answer: Promise<unknown>): Promise<void> {
      const timer = patienceMs === undefined ? undefined : setTimeout(breakConnection, patienceMs, this);
      const failure = await answer.then(() => undefined, failureCode);
      clearTimeout(timer);
      if (failure === READ_ONLY) onReadOnly?.();
      if (failure?.startsWith("57P")) onEnded?.(this);
    }
  };
}

function named([first, values, ...others]: unknown[]): Statement | undefined {
  if (typeof first === "string") {
    const known = NAMES.get(first);
    return known === undefined ? undefined : { name: known, text: first, values: values as unknown[] };
  }
  const isNamed =
    values === undefined && others.length === 0 && typeof (first as Statement | null)?.name === "string";
  return isNamed ? (first as Statement) : undefined;
}
