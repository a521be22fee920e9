export interface Placed {
  id: number;
  parent_id: number | null;
}

/** Deeper answers are listed on the last level. */
export const MAX_LEVELS = 50;

/** The children of each comment, in the order of `rows`. */
export function childrenOf<Row extends Placed>(rows: readonly Row[]): Map<number, Row[]> {
  const children = new Map<number, Row[]>();
  for (const row of rows) {
    if (row.parent_id === null) continue;
    const siblings = children.get(row.parent_id);
    if (siblings) siblings.push(row);
    else children.set(row.parent_id, [row]);
  }
  return children;
}

interface Level<Row> {
  rows: readonly Row[];
  next: number;
}

/**
 * Iterative: a chain of answers may have any length.
 * @param rows all comments of these threads by id
 * @param text the beginning of a comment, without its children and the closing brace
 */
export function writeTrees<Row extends Placed>(
  roots: readonly Row[],
  rows: readonly Row[],
  text: (row: Row) => string,
): string[] {
  const children = childrenOf(rows);
  return roots.map((root) => writeTree(root, children, text));
}

function writeTree<Row extends Placed>(
  root: Row,
  children: Map<number, Row[]>,
  text: (row: Row) => string,
): string {
  const parts: string[] = [];
  const levels: Level<Row>[] = [{ rows: [root], next: 0 }];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const row = level.rows[level.next];
    if (row === undefined) {
      levels.pop();
      if (levels.length > 0) parts.push("]}");
      continue;
    }
    parts.push(level.next > 0 ? "," : "", text(row), ',"children":[');
    level.next += 1;
    if (levels.length > MAX_LEVELS) parts.push("]}");
    else levels.push({ rows: below(row, children, { level: levels.length }), next: 0 });
  }
  return parts.join("");
}

/** The answers that are listed below a comment of a level. */
export function below<Row extends Placed>(
  row: Row,
  children: ReadonlyMap<number, Row[]>,
  { level, maxLevels = MAX_LEVELS }: { level: number; maxLevels?: number },
): readonly Row[] {
  if (level < maxLevels) return children.get(row.id) ?? [];
  return everythingBelow(row, children).toSorted((one, other) => one.id - other.id);
}

/** Everything below a comment, parents first. */
export function everythingBelow<Row extends Placed>(row: Row, children: ReadonlyMap<number, Row[]>): Row[] {
  const found = [...(children.get(row.id) ?? [])];
  // The list grows while it is walked.
  for (const one of found) for (const answer of children.get(one.id) ?? []) found.push(answer);
  return found;
}

interface InThread {
  root_id: number;
}

/**
 * The first whole threads that fit into one answer. A longer thread is cut to its first comments.
 * @param rows thread by thread; more than `max` mean that others follow
 */
export function cutThreads<Row extends InThread>(rows: readonly Row[], max: number): readonly Row[] {
  const behind = rows[max];
  if (behind === undefined) return rows;
  const whole = rows.filter(({ root_id }) => root_id !== behind.root_id);
  return whole.length > 0 ? whole : rows.slice(0, max);
}

export interface ThreadPage {
  /** Counted from 1. */
  page: number;
  per_page: number;
}

/** A page that doesn't fit is split into smaller pages, so that `next` begins with the first omitted thread. */
export function cutPage<Row extends InThread>(
  rows: readonly Row[],
  { page, per_page }: ThreadPage,
  max: number,
): { rows: readonly Row[]; next: ThreadPage } {
  const fitting = cutThreads(rows, max);
  if (fitting.length === rows.length) return { rows, next: { page: page + 1, per_page } };
  const roots = [...new Set(fitting.map(({ root_id }) => root_id))];
  const size = largestDivisor(per_page, roots.length);
  const kept = new Set(roots.slice(0, size));
  return {
    rows: fitting.filter(({ root_id }) => kept.has(root_id)),
    next: { page: ((page - 1) * per_page) / size + 2, per_page: size },
  };
}

function largestDivisor(of: number, max: number): number {
  let divisor = max;
  while (of % divisor > 0) divisor -= 1;
  return divisor;
}
