/**
 * The least processor time of this process that some work takes in five rounds, in microseconds. Other processes don't
 * add to it, but they take the processor's cache, and collections of garbage fall into some rounds.
 */
export async function cpuCost(work: () => unknown): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < 5; round++) {
    const begun = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(begun);
    least = Math.min(least, user + system);
  }
  return least;
}
