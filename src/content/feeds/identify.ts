/** Identifies an item, such as `guid 7`; undefined without this property. */
export type Key = string | undefined;

/**
 * Finds the items of a feed among the known rows: by guid, else by address, else by title and date, as the caller
 * orders the keys. A kind of key is tried on all items before the next kind, and each row is one item only.
 */
export function identify<Item, Row>(
  items: readonly Item[],
  rows: readonly Row[],
  keysOf: { item: (item: Item) => readonly Key[]; row: (row: Row) => readonly Key[] },
): Map<Item, Row> {
  // The first row comes last, to be popped.
  const rowsOf = new Map<Key, Row[]>();
  for (const row of rows.toReversed()) {
    for (const key of keysOf.row(row)) {
      const sharers = rowsOf.get(key);
      if (sharers) sharers.push(row);
      else rowsOf.set(key, [row]);
    }
  }
  const keyed = items.map((item) => ({ item, keys: keysOf.item(item) }));
  const found = new Map<Item, Row>();
  const taken = new Set<Row>();
  for (let kind = 0; keyed.some(({ keys }) => kind < keys.length); kind++) {
    for (const { item, keys } of keyed) {
      if (keys[kind] === undefined || found.has(item)) continue;
      const sharers = rowsOf.get(keys[kind]) ?? [];
      let row = sharers.pop();
      while (row !== undefined && taken.has(row)) row = sharers.pop();
      if (row === undefined) continue;
      found.set(item, row);
      taken.add(row);
    }
  }
  return found;
}
