import { reasonOf } from "../db/failures.ts";

/** The outcome of one check: `warn` is worth a look, `fail` must be repaired. */
export interface Finding {
  check: string;
  result: "ok" | "warn" | "fail";
  /** The state and, unless it is ok, how to repair it. */
  message: string;
  /** The first faults, each in a sentence, and how many more there are. */
  faults?: string[];
}

/** Runs a check; if the check itself fails, that is the finding. */
export async function examineOne(
  check: string,
  look: () => Promise<Omit<Finding, "check">>,
): Promise<Finding> {
  try {
    return { check, ...(await look()) };
  } catch (error) {
    return { check, result: "fail", message: `This can't be checked (${reasonOf(error)}).` };
  }
}
