/** What must be known of comments to tell their threads apart. */
interface InThread {
  root_id: number;
}

/**
 * As many whole threads as go into one answer, the first ones. One that is too long by itself is cut:
 * its first comments are the answer.
 * @param rows thread by thread; more than `max` say that there are others behind them
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

/**
 * The same for a page: where its threads don't go into one answer, it is divided into smaller pages,
 * so that the next one begins with the first thread that is left out.
 */
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

/** The largest one that isn't more than `max`. */
function largestDivisor(of: number, max: number): number {
  let divisor = max;
  while (of % divisor > 0) divisor -= 1;
  return divisor;
}
