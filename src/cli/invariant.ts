import type { RawBuilder } from "kysely";
import type { Db } from "../db/connect.ts";

type Faults = RawBuilder<{ fault: string }>;

/** Something that is true of every database of a site, whatever has been done to it. */
export interface Invariant {
  check: string;
  /** A `fault` for every row that isn't so: a sentence with its number. Some depend on what tables there are. */
  faults: Faults | ((tx: Db) => Promise<Faults>);
}
