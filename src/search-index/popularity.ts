/** The articles of the tiers up to this one weigh the words of a query, and are ranked first. */
export const WEIGHING_TIER = 2;

/** A place in the order of `top`: by reactions, date and id, the highest first. */
export interface Place {
  reactions: number;
  /** Milliseconds since 1970. */
  published_at: number;
  article_id: number;
}

/** Above 0 if the other place is the more popular one. */
export function comparePlaces(one: Place, other: Place): number {
  return (
    other.reactions - one.reactions ||
    other.published_at - one.published_at ||
    other.article_id - one.article_id
  );
}

export function isSamePlace(one: Place | undefined, other: Place | undefined): boolean {
  return one === undefined || other === undefined ? one === other : comparePlaces(one, other) === 0;
}

/** Moves the first `count` in an order to the front, in any order among themselves: quickselect (Hoare 1961). */
export function moveFirst<T>(
  items: { readonly length: number; [at: number]: T },
  count: number,
  compare: (one: T, other: T) => number,
): void {
  let [from, to] = [0, items.length - 1];
  while (from < to) {
    const pivot = items[(from + to) >> 1] as T;
    let [left, right] = [from, to];
    while (left <= right) {
      while (compare(items[left] as T, pivot) < 0) left++;
      while (compare(items[right] as T, pivot) > 0) right--;
      if (left > right) break;
      [items[left], items[right]] = [items[right] as T, items[left] as T];
      left++;
      right--;
    }
    if (count <= right) to = right;
    else if (count >= left) from = left;
    else return;
  }
}
