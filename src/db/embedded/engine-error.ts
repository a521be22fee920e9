/** The embedded PostgreSQL cannot serve. The message names the fault and its remedy. */
export class EngineError extends Error {
  override readonly name = "EngineError";
}
