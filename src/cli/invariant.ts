import type { RawBuilder } from "kysely";

/** Something that is true of every database of a site, whatever has been done to it. */
export interface Invariant {
  check: string;
  /** A `fault` for every row that isn't so: a sentence with its number. */
  faults: RawBuilder<{ fault: string }>;
}
