/**
 * Whether the tests run in their long form, with every case of the exhaustive ones, and with those that need standbys, a
 * pooler, a load balancer or two programs.
 */
export const IS_LONG = process.env["CI_LONG"] === "1";

/** How many cases a test goes through: all of them in the long form, otherwise a few. */
export const cases = (all: number, few: number): number => (IS_LONG ? all : few);

/** All elements in the long form, otherwise about `few` of them, spread evenly; others for every `turn`. */
export function sample<T>(all: readonly T[], few: number, turn = 0): T[] {
  const step = Math.ceil(all.length / cases(all.length, few));
  return all.filter((_, index) => index % step === turn % step);
}
