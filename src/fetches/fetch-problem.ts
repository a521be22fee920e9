/** Why something could not be fetched or read, in a sentence that its owner may be shown. */
export class FetchProblem extends Error {
  override name = "FetchProblem";
}
