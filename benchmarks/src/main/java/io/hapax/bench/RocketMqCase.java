package io.hapax.bench;

/**
 * A measured listener in one situation.
 *
 * @param orderly whether the listener keeps the order of each queue
 * @param batch the largest batch of a call
 * @param subject the listener
 */
record RocketMqCase(boolean orderly, int batch, RocketMqSubject subject) {

  String situation() {
    return (orderly ? "orderly" : "concurrently") + ", batches of " + batch;
  }

  /** Returns another listener in the same situation. */
  RocketMqCase of(RocketMqSubject other) {
    return new RocketMqCase(orderly, batch, other);
  }

  @Override
  public String toString() {
    return situation() + ", " + subject.title();
  }
}
