/** What came of a piece of work that was looked for. */
export type Outcome = "none" | "done" | { failure: unknown };
