export class FetchProblem extends Error {
  override name = "FetchProblem";
}

/** No other site is to blame: it isn't counted, and retried soon. */
export class Postponement extends FetchProblem {
  override name = "Postponement";
}
