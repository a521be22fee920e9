import type { RawBuilder } from "kysely";
import type { Db } from "./connect.ts";

type Faults = RawBuilder<{ fault: string }>;

export interface Invariant {
  check: string;
  /** Selects a `fault` for each row that breaks it: a sentence with the row's id. Some read the catalog first. */
  faults: Faults | ((tx: Db) => Promise<Faults>);
}
