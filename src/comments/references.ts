import type { Db } from "../db/connect.ts";
import type { Reference } from "../records/declaration.ts";
import type { ImportContext, ImportState } from "../records/record-type.ts";
import { idOf } from "./id-codes.ts";
import * as queries from "./record-queries.ts";

/** The names by which the records of an import call comments. */
interface Names {
  /** The refs of the file so far; undefined for one whose record couldn't be imported. */
  refs: Map<string, number | undefined>;
  /** The codes under which the file has comments that got another number here. */
  moved: Map<string, number>;
}

const NAMES: ImportState<Names> = { initial: () => ({ refs: new Map(), moved: new Map() }) };

/** Says that the file has records of these refs, so that the refs mean nothing else. */
export function declare(context: ImportContext, refs: readonly string[]): void {
  const names = context.state(NAMES);
  for (const ref of refs) if (!names.refs.has(ref)) names.refs.set(ref, undefined);
}

/** Remembers under which number the comment of a record is here. */
export function note(
  context: ImportContext,
  { ref, id_code }: { ref?: string; id_code?: string },
  id: number,
): void {
  const names = context.state(NAMES);
  if (ref !== undefined) names.refs.set(ref, id);
  if (id_code !== undefined && idOf(id_code) !== id) names.moved.set(id_code, id);
}

/** Whether the file so far has a record of this ref. */
export function isRef(context: ImportContext, name: string): boolean {
  return context.state(NAMES).refs.has(name);
}

/** The number that a name stands for, which may be nobody's: a ref of the file goes before a code. */
export function numberOf(context: ImportContext, name: string): number | undefined {
  const { refs, moved } = context.state(NAMES);
  return refs.has(name) ? refs.get(name) : (moved.get(name) ?? idOf(name));
}

/** The numbers of comments by refs or codes, as records name them; unknown ones are missing. */
async function resolve(
  db: Db,
  names: readonly string[],
  context: ImportContext,
): Promise<Map<string, number>> {
  const wanted = new Map(names.map((name) => [name, numberOf(context, name)]));
  const ids = [...wanted.values()].filter((id) => id !== undefined);
  const present = new Set(await queries.findIds(db, ids));
  return new Map(
    [...wanted].flatMap(([name, id]) => (id !== undefined && present.has(id) ? [[name, id]] : [])),
  );
}

/** Records name comments by a ref of their file or by their code. */
export const byName: Reference = { find: resolve };
