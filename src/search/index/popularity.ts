/** A place in the order of `top`: by reactions, date and id, the highest first. */
export interface Place {
  reactions: number;
  published_at: number;
  article_id: number;
}

/** Is above 0 if the other place is the more popular one. */
export function comparePlaces(one: Place, other: Place): number {
  return (
    other.reactions - one.reactions ||
    other.published_at - one.published_at ||
    other.article_id - one.article_id
  );
}

/** The number that would stand at a place if these were sorted, which changes their order: quickselect (Hoare 1961). */
export function kthSmallest(numbers: Float64Array, place: number): number {
  let [from, to] = [0, numbers.length - 1];
  while (from < to) {
    const pivot = numbers[(from + to) >> 1] as number;
    let [left, right] = [from, to];
    while (left <= right) {
      while ((numbers[left] as number) < pivot) left++;
      while ((numbers[right] as number) > pivot) right--;
      if (left > right) break;
      const swapped = numbers[left] as number;
      numbers[left++] = numbers[right] as number;
      numbers[right--] = swapped;
    }
    if (place <= right) to = right;
    else if (place >= left) from = left;
    else break;
  }
  return numbers[place] as number;
}
