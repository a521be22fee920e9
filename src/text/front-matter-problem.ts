import { type AppError, invalid } from "../errors.ts";

/** What is wrong with a block, as the author is told. */
export function problem(detail: string): AppError {
  return invalid(`There was a problem parsing the front-matter YAML. ${detail}`);
}
