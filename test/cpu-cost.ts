/** The processor time of this process that some work takes, in microseconds; other processes don't add to it. */
export async function cpuCost(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return user + system;
}
