import { reasonOf } from "./failures.ts";

/** What one check found: `warn` is worth a look, `fail` must be repaired. */
export interface Finding {
  check: string;
  result: "ok" | "warn" | "fail";
  /** What was found and, unless it is ok, how to repair it. */
  message: string;
  /** The first faults, each in a sentence, and how many more there are. */
  faults?: string[];
}

/** The finding of a check, or that the check itself doesn't work. */
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
