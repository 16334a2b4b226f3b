package io.hapax.bench;

/**
 * What one contender did.
 *
 * @param rate messages a second
 * @param claimRate messages a second as if it had only claimed; 0 if it does not say
 * @param clientMicros CPU time of this process for a message, microseconds
 * @param serverMicros CPU time of the server for a message, microseconds
 */
record Measured(Spread rate, Spread claimRate, double clientMicros, double serverMicros) {

  /** The claims alone; CPU time cannot be told apart. */
  Measured claimOnly() {
    return new Measured(claimRate, claimRate, 0, 0);
  }
}
