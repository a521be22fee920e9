import { FieldsError } from "../errors.ts";

/** Gathers what is wrong with the fields of a listing, so that it is told at once. */
export class FieldFaults {
  readonly #faults: Record<string, string[]> = {};

  add(field: string, fault: string): void {
    (this.#faults[field] ??= []).push(fault);
  }

  /** @throws FieldsError when anything was refused */
  throwIfAny(): void {
    if (Object.keys(this.#faults).length > 0) throw new FieldsError(this.#faults);
  }
}
