import type { Db } from "../db/connect.ts";
import type { Reference } from "../records/declaration.ts";
import type { ImportContext, ImportState } from "../records/record-type.ts";
import { idOf } from "./id-codes.ts";
import * as queries from "./record-queries.ts";

interface Names {
  /** Undefined for a record that couldn't be imported. */
  refs: Map<string, number | undefined>;
  /** Codes whose comments got another id here. */
  moved: Map<string, number>;
}

const NAMES: ImportState<Names> = { initial: () => ({ refs: new Map(), moved: new Map() }) };

/** The file has records of these refs, so a ref never means a code. */
export function declare(context: ImportContext, refs: readonly string[]): void {
  const names = context.state(NAMES);
  for (const ref of refs) if (!names.refs.has(ref)) names.refs.set(ref, undefined);
}

export function note(
  context: ImportContext,
  { ref, id_code }: { ref?: string; id_code?: string },
  id: number,
): void {
  const names = context.state(NAMES);
  if (ref !== undefined) names.refs.set(ref, id);
  if (id_code !== undefined && idOf(id_code) !== id) names.moved.set(id_code, id);
}

export function isRef(context: ImportContext, name: string): boolean {
  return context.state(NAMES).refs.has(name);
}

/** A ref of the file wins over a code. No comment may have this id. */
export function numberOf(context: ImportContext, name: string): number | undefined {
  const { refs, moved } = context.state(NAMES);
  return refs.has(name) ? refs.get(name) : (moved.get(name) ?? idOf(name));
}

async function resolve(
  db: Db,
  names: readonly string[],
  context: ImportContext,
): Promise<Map<string, number>> {
  const wanted = new Map(names.map((name) => [name, numberOf(context, name)]));
  const ids = [...wanted.values()].filter((id) => id !== undefined);
  const present = new Set((await queries.findByIds(db, ids)).map(({ id }) => id));
  return new Map(
    [...wanted].flatMap(([name, id]) => (id !== undefined && present.has(id) ? [[name, id]] : [])),
  );
}

/** By a ref of the file or by code. */
export const byName: Reference = { find: resolve };
