/** The embedded PostgreSQL cannot serve. The message is one sentence that names the fault and how to mend it. */
export class EngineError extends Error {
  override readonly name = "EngineError";
}
