import { AppError, invalid } from "../errors.ts";
import { joinSentences } from "../text/sentences.ts";

/** Gathers what is wrong with a request, so that it is told at once. */
export class Faults {
  readonly #sentences: string[] = [];

  /** The value, or undefined when it is refused. */
  check<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof AppError && error.code === "invalid")) throw error;
      this.#sentences.push(error.message);
      return undefined;
    }
  }

  /** @throws AppError invalid when anything was refused */
  throwIfAny(): void {
    if (this.#sentences.length > 0) throw invalid(joinSentences([...new Set(this.#sentences)]));
  }
}
