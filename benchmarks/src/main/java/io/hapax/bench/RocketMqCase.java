package io.hapax.bench;

/** A measured listener, with or without the order of each queue, and its largest batch. */
record RocketMqCase(boolean orderly, int batch, Subject subject) {

  /** The measured listeners. */
  enum Subject {
    BARE("bare listener"),
    MEMORY("Hapax, marks in memory"),
    REDIS("Hapax, leased in Redis"),
    /** Marks and effects in one transaction of PostgreSQL. There are no effects here. */
    POSTGRES("Hapax, T1 in PostgreSQL"),
    /** A usual self-written check: SET NX, the handler, and SET for each message. */
    ONE_BY_ONE("Redis, each message by itself");

    private final String title;

    Subject(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  String situation() {
    return (orderly ? "orderly" : "concurrently") + ", batches of " + batch;
  }

  /** Returns another listener in the same situation. */
  RocketMqCase of(Subject other) {
    return new RocketMqCase(orderly, batch, other);
  }

  @Override
  public String toString() {
    return situation() + ", " + subject.title();
  }
}
