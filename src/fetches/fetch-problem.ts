/** Why something could not be fetched or read, in a sentence that its owner may be shown. */
export class FetchProblem extends Error {
  override name = "FetchProblem";
}

/** Nobody elsewhere is to blame for this one: it isn't counted, and tried again soon. */
export class Postponement extends FetchProblem {
  override name = "Postponement";
}
