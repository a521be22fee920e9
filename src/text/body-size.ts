import { invalid } from "../errors.ts";

export const MAX_BODY_BYTES = 819_200;

/** @throws AppError invalid */
export function checkBodySize(markdown: string): void {
  if (Buffer.byteLength(markdown) <= MAX_BODY_BYTES) return;
  throw invalid(`Body markdown is too long (maximum is ${MAX_BODY_BYTES} bytes)`);
}
