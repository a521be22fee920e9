import type { Db } from "../../platform/db/connect.ts";
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

interface Named {
  ref?: string;
  id_code?: string;
}

/** The file has a record of this ref, so the ref never means a code. */
export function declare(context: ImportContext, { ref }: Named): void {
  const { refs } = context.state(NAMES);
  if (ref !== undefined && !refs.has(ref)) refs.set(ref, undefined);
}

export function note(context: ImportContext, { ref, id_code }: Named, id: number): void {
  const { refs, moved } = context.state(NAMES);
  if (ref !== undefined) refs.set(ref, id);
  if (id_code !== undefined && idOf(id_code) !== id) moved.set(id_code, id);
}

async function find(db: Db, names: readonly string[], context: ImportContext): Promise<Map<string, number>> {
  const { refs, moved } = context.state(NAMES);
  // A ref of the file wins over a code.
  const ids = names.map((name) => (refs.has(name) ? refs.get(name) : (moved.get(name) ?? idOf(name))) ?? 0);
  const present = new Set((await queries.findByIds(db, ids)).map(({ id }) => id));
  return new Map(
    names.map((name, index) => [name, ids[index] ?? 0] as const).filter(([, id]) => present.has(id)),
  );
}

/** A record names a comment by a ref of the file or by its code. */
export const byName: Reference = { find };
