import type { Db } from "../db/connect.ts";
import { invalid } from "../errors.ts";
import { forEach } from "../records/resolve.ts";
import type { ImportContext } from "../records/record-type.ts";
import { quote } from "../text/quote.ts";
import { type Checked, isAlike, isSameComment } from "./record-row.ts";
import * as queries from "./record-queries.ts";
import * as references from "./references.ts";

export interface Row extends Checked {
  /** A row of the batch, or the id of an existing comment. */
  parent: Row | number | null;
  existing: queries.Existing | undefined;
  /** An earlier record of the batch with the same content. */
  sameAs: Row | undefined;
}

interface Present {
  byId: Map<number, queries.Existing>;
  alike: queries.Existing[];
}

/** Finds the existing comment and the parent of each record. */
export async function match(tx: Db, records: readonly Checked[], context: ImportContext): Promise<Row[]> {
  const batch = new Batch(await lookUp(tx, records, context), context);
  await forEach(records, (record) => batch.add(record), context);
  return batch.rows;
}

async function lookUp(tx: Db, records: readonly Checked[], context: ImportContext): Promise<Present> {
  const ids = records.flatMap(({ wantedId, entry }) => {
    const { parent } = entry.fields;
    return [wantedId, parent === undefined ? undefined : references.numberOf(context, parent)];
  });
  const rows = await queries.findByIds(
    tx,
    ids.filter((id) => id !== undefined),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const unmatched = records.filter(({ wantedId }) => wantedId === undefined || byId.has(wantedId));
  return { byId, alike: await queries.findAlike(tx, unmatched) };
}

class Batch {
  readonly rows: Row[] = [];
  readonly #present: Present;
  readonly #context: ImportContext;
  readonly #byRef = new Map<string, Row>();
  readonly #byCode = new Map<string, Row>();
  readonly #byContent = new Map<string, Row>();

  constructor(present: Present, context: ImportContext) {
    this.#present = present;
    this.#context = context;
  }

  /** @throws AppError invalid for an impossible parent */
  add(record: Checked): void {
    const { ref, id_code } = record.entry.fields;
    const parent = this.#parentOf(record);
    const existing = this.#existingOf(record, parent);
    const isFree = record.wantedId !== undefined && !this.#present.byId.has(record.wantedId);
    const key = contentOf(record, parent);
    const sameAs = existing || isFree ? undefined : this.#byContent.get(key);
    const row: Row = { ...record, parent, existing, sameAs };
    this.rows.push(row);
    if (!this.#byContent.has(key)) this.#byContent.set(key, row);
    if (ref !== undefined) this.#byRef.set(ref, row);
    if (id_code !== undefined) this.#byCode.set(id_code, row);
  }

  #parentOf(record: Checked): Row | number | null {
    const name = record.entry.fields.parent;
    if (name === undefined) return null;
    const named = this.#byRef.get(name) ?? (this.#isRef(name) ? undefined : this.#byCode.get(name));
    const row = named?.sameAs ?? named;
    const id = row ? undefined : references.numberOf(this.#context, name);
    const there = id === undefined ? row : this.#present.byId.get(id);
    if (!there) throw invalid(`parent ${quote(name)} is not a comment of the site or of an earlier line`);
    const isTogether = there.article_id === record.article_id && there.episode_id === record.episode_id;
    if (!isTogether) throw invalid(`parent ${quote(name)} stands under something else`);
    return row ? (row.existing?.id ?? row) : (id ?? null);
  }

  #isRef(name: string): boolean {
    return references.isRef(this.#context, name);
  }

  #existingOf(record: Checked, parent: Row["parent"]): queries.Existing | undefined {
    const { wantedId = 0 } = record;
    const found = this.#present.byId.get(wantedId);
    if (found && isSameComment(found, record)) {
      if (found.parent_id === parent) return found;
      if (record.created_at)
        throw invalid("on the site it answers another comment, and comments can't be moved");
    }
    if (wantedId > 0 && !found) return undefined;
    return this.#present.alike.find((one) => one.parent_id === parent && isAlike(one, record));
  }
}

/** Identifies a comment without a code. */
function contentOf(
  { author_id, article_id, episode_id, created_at, body_markdown }: Checked,
  parent: Row["parent"],
) {
  const above = typeof parent === "object" ? parent?.entry.line : `id ${parent}`;
  return JSON.stringify([author_id, article_id, episode_id, created_at, above, body_markdown]);
}
