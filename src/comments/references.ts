import type { Db } from "../db/connect.ts";
import type { ImportContext } from "../records/record-type.ts";
import { idOf } from "./id-codes.ts";
import * as queries from "./record-queries.ts";

/** What an import has learned of the names by which its records call comments. */
interface Names {
  /** The refs of the file so far; undefined for one whose record couldn't be imported. */
  refs: Map<string, number | undefined>;
  /** The codes under which the file has comments that got another number here. */
  moved: Map<string, number>;
}

const known = new WeakMap<ImportContext, Names>();

function namesOf(context: ImportContext): Names {
  const names = known.get(context) ?? { refs: new Map(), moved: new Map() };
  known.set(context, names);
  return names;
}

/** Says that the file has records of these refs, so that the refs mean nothing else. */
export function declare(context: ImportContext, refs: readonly string[]): void {
  const names = namesOf(context);
  for (const ref of refs) if (!names.refs.has(ref)) names.refs.set(ref, undefined);
}

/** Remembers under which number the comment of a record is here. */
export function note(
  context: ImportContext,
  { ref, id_code }: { ref?: string; id_code?: string },
  id: number,
): void {
  const names = namesOf(context);
  if (ref !== undefined) names.refs.set(ref, id);
  if (id_code !== undefined && idOf(id_code) !== id) names.moved.set(id_code, id);
}

/** Whether the file so far has a record of this ref. */
export function isRef(context: ImportContext, name: string): boolean {
  return namesOf(context).refs.has(name);
}

/** The number that a name stands for, which may be nobody's: a ref of the file goes before a code. */
export function numberOf(context: ImportContext, name: string): number | undefined {
  const { refs, moved } = namesOf(context);
  return refs.has(name) ? refs.get(name) : (moved.get(name) ?? idOf(name));
}

/** The numbers of comments by refs or codes, as records name them; unknown ones are missing. */
export async function resolve(
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
