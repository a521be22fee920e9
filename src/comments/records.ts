import { bySlug, findReferences } from "../articles/rendering.ts";
import type { Db } from "../db/connect.ts";
import * as podcasts from "../podcasts/podcasts.ts";
import { differs } from "../records/columns.ts";
import { inPages } from "../records/pages.ts";
import type { Entry, ImportContext, ImportState, RecordType, Tally } from "../records/record-type.ts";
import { forEach, resolve } from "../records/resolve.ts";
import type { References } from "../text/references.ts";
import { RENDERER_VERSION } from "../text/rerender.ts";
import * as users from "../users/users.ts";
import { recount } from "./comments.ts";
import { idCode } from "./id-codes.ts";
import { match, type Row } from "./record-matching.ts";
import * as queries from "./record-queries.ts";
import { check, CommentRecord } from "./record-row.ts";
import { declare, note } from "./references.ts";
import { childrenOf, everythingBelow, type Placed } from "./tree.ts";
import { update } from "./writing-queries.ts";

export const commentRecords: RecordType<CommentRecord> = {
  type: "comment",
  schema: CommentRecord,
  keyOf: ({ id_code, ref, author, body_markdown }) =>
    id_code ?? ref ?? `${author ?? "deleted"}: ${body_markdown}`,
  write,
  read: exportRecords,
};

const REFERENCES = { author: users.byUsername, article: bySlug, episode: podcasts.episodeByPath };

async function write(tx: Db, batch: Entry<CommentRecord>[], context: ImportContext): Promise<Tally> {
  declare(
    context,
    batch.flatMap(({ fields }) => fields.ref ?? []),
  );
  const resolved = await resolve(REFERENCES, batch, { tx, context });
  const rows = await match(tx, await forEach(resolved, check, context), context);
  const ready = await readyOf(tx, rows, context);
  const fresh = ready.filter(({ row }) => !row.existing && !row.sameAs);
  const changed = ready.filter(({ row, columns }) => row.existing && differs(row.existing, columns));
  const ids = await insert(tx, fresh);
  for (const { row, columns } of changed) await update(tx, row.existing?.id ?? 0, columns);
  // Only now: a batch that fails before is undone.
  for (const { row } of ready) note(context, row.entry.fields, idOf(row, ids));
  const articles = context.state(ARTICLES);
  for (const { row } of [...fresh, ...changed]) if (row.article_id !== null) articles.add(row.article_id);
  return {
    created: fresh.length,
    updated: changed.length,
    unchanged: ready.length - fresh.length - changed.length,
  };
}

interface Ready {
  row: Row;
  columns: queries.Columns;
}

/** A refused record is left out with all answers to it. */
async function readyOf(tx: Db, rows: Row[], context: ImportContext): Promise<Ready[]> {
  const bodies = rows.map(({ body_markdown }) => body_markdown);
  const found = await findReferences(tx, bodies, context.renderPool);
  const made = await forEach(
    rows,
    async (row) => ({ row, columns: await columnsOf(row, { found, context }) }),
    context,
  );
  const kept = new Set<Row>();
  return made.filter(({ row }) => {
    const above = row.sameAs ?? row.parent;
    const isOrphan = typeof above === "object" && above !== null && !kept.has(above);
    if (isOrphan) context.reject(row.entry, "the comment that it answers is left out");
    else kept.add(row);
    return !isOrphan;
  });
}

async function columnsOf(
  row: Row,
  { found, context }: { found: References; context: ImportContext },
): Promise<queries.Columns> {
  const { entry, existing, body_markdown } = row;
  const { edited_at, deleted, hidden, score } = entry.fields;
  return {
    body_markdown,
    body_html: await htmlOf(row, { found, context }),
    renderer_version: RENDERER_VERSION,
    created_at: row.created_at ?? existing?.created_at ?? context.now,
    edited_at: edited_at === undefined ? null : new Date(edited_at),
    // Moderation after the export stays, unless the record contradicts.
    deleted: deleted ?? existing?.deleted ?? false,
    hidden: hidden ?? existing?.hidden ?? false,
    // The score of a record excludes reactions that are records.
    points: score ?? existing?.points ?? 1,
  };
}

async function htmlOf(
  { existing, body_markdown: markdown }: Row,
  { found, context }: { found: References; context: ImportContext },
): Promise<string> {
  const isKnown = existing?.body_markdown === markdown && existing.renderer_version === RENDERER_VERSION;
  if (isKnown) return existing.body_html;
  return (await context.renderPool.render(markdown, { references: found })).html;
}

async function insert(tx: Db, fresh: Ready[]): Promise<Map<Row, number>> {
  const given = await queries.giveIds(
    tx,
    fresh.map(({ row }) => row.wantedId),
  );
  const ids = new Map(fresh.map(({ row }, index) => [row, given[index] ?? 0]));
  await queries.insert(
    tx,
    fresh.map(({ row, columns }) => ({
      ...columns,
      id: idOf(row, ids),
      parent_id: typeof row.parent === "object" && row.parent ? idOf(row.parent, ids) : row.parent,
      author_id: row.author_id,
      article_id: row.article_id,
      episode_id: row.episode_id,
    })),
  );
  return ids;
}

function idOf(row: Row, ids: Map<Row, number>): number {
  const own = row.sameAs ?? row;
  const id = own.existing?.id ?? ids.get(own);
  if (id === undefined) throw new Error(`the comment of line ${row.entry.line} has no number`);
  return id;
}

/** Written last, so that writers of comments don't wait for the whole import. */
const ARTICLES: ImportState<Set<number>> = {
  initial: () => new Set(),
  atEnd: (tx, ids) => recount(tx, [...ids]),
};

const THREADS = 200;
const COMMENTS = 200;

/** Thread by thread, parents first, without deleted articles. */
async function* exportRecords(db: Db): AsyncGenerator<object> {
  for await (const roots of inPages((after) => queries.listRootsAfter(db, after, THREADS))) {
    const answers = await queries.listBelow(
      db,
      roots.map(({ id }) => id),
    );
    const ids = inOrder(roots, answers);
    for (let from = 0; from < ids.length; from += COMMENTS) {
      yield* await recordsOf(db, ids.slice(from, from + COMMENTS));
    }
  }
}

/** Imported answers may have lower ids than their parents. */
function inOrder(roots: Placed[], answers: Placed[]): number[] {
  const children = childrenOf(answers);
  return roots.flatMap((root) => [root.id, ...everythingBelow(root, children).map(({ id }) => id)]);
}

async function recordsOf(db: Db, ids: number[]): Promise<object[]> {
  const rows = await queries.listNamed(db, ids);
  return rows.map((row) => ({
    ...row,
    id_code: idCode(row.id),
    parent: row.parent_id === null ? null : idCode(row.parent_id),
    score: row.points === 1 ? null : row.points,
  }));
}
