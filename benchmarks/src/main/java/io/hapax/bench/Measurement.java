package io.hapax.bench;

/**
 * The results of one contender.
 *
 * @param rate messages a second
 * @param claimRate messages a second if it had only claimed; 0 if unknown
 * @param clientMicros CPU time of this process for a message, microseconds
 * @param serverMicros CPU time of the server for a message, microseconds
 */
record Measurement(Spread rate, Spread claimRate, double clientMicros, double serverMicros) {

  /** Returns the result of the claims alone. Their CPU time is not known. */
  Measurement claimOnly() {
    return new Measurement(claimRate, claimRate, 0, 0);
  }

  /** Returns the rate as a multiple of another. */
  double times(Measurement other) {
    return rate.median() / other.rate.median();
  }
}
